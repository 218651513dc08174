"""Settings of studies, made small for tests."""

from pigevo.studies.settings import read_settings


def shorter(study, added, dropped=()):
    """The settings of a study, by part and name, without words that begin so, and with further words."""
    whole = read_settings(study.HERE / "settings.yaml")
    return {
        part: {
            name: " ".join([*(word for word in words.split() if not word.startswith(dropped)), added])
            for name, words in settings.items()
        }
        for part, settings in whole.items()
    }
