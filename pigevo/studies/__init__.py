"""Studies: folders of `experiments/` that reproduce a publication and set its figures beside ours."""
