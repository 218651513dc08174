"""Settings of studies, made small for tests."""

from omegaconf import OmegaConf


def shorter(study, added, dropped=()):
    """The settings of a study, by part and name, without words that begin so, and with further words.

    What the study states beside them is left out: `debug=fast` makes small what no word sets.
    """
    whole = OmegaConf.to_container(OmegaConf.load(study.HERE / "settings.yaml"))
    return {
        part: {
            name: " ".join([*(word for word in words.split() if not word.startswith(dropped)), added])
            for name, words in settings.items()
        }
        for part, settings in whole.items()
        if part != "stated"
    }
