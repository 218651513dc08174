// Each film gets its slider; without this its frames stand side by side.
for (const film of document.querySelectorAll(".film")) {
  const frames = film.querySelectorAll(".frames .frame");
  const slider = film.querySelector("input");
  const button = film.querySelector("button");
  let clock = 0;
  const show = () => {
    frames.forEach((frame, number) => frame.classList.toggle("on", number === Number(slider.value)));
    slider.setAttribute("aria-valuetext", frames[Number(slider.value)].querySelector("figcaption").textContent);
  };
  const stop = () => { clearInterval(clock); clock = 0; button.textContent = "play"; };
  const step = () => {
    slider.value = Number(slider.value) + 1;
    show();
    if (Number(slider.value) === frames.length - 1) stop();
  };
  slider.addEventListener("input", () => { stop(); show(); });
  button.addEventListener("click", () => {
    if (clock) return stop();
    if (Number(slider.value) === frames.length - 1) slider.value = 0;
    show();
    clock = setInterval(step, 140);
    button.textContent = "stop";
  });
  film.querySelector(".slider").hidden = false;
  film.classList.add("live");
  show();
}
