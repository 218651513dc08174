// Built by a colleague.
export async function mount(root, shared) {
  root.textContent = "To come.";
}
