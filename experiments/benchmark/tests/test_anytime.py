"""The pictures of the benchmark are labelled in words."""

import numpy as np

from pigevo.experiments.benchmark.anytime import anytime_data, ecdf_data, plot_anytime, plot_ecdf


def words_in(axes):
    texts = [text.get_text() for text in axes.texts]
    legend = axes.get_legend()
    return [*texts, *([text.get_text() for text in legend.get_texts()] if legend else []), axes.get_ylabel()]


def test_labels_are_words():
    hit = ecdf_data(np.array([[0.1, 0.5], [0.2, np.inf]]), np.array([[0, 1], [1, 1]]))
    lost = anytime_data([np.array([0, 10])], [np.array([0.5, 0.1])])
    for axes in (plot_ecdf({"one_comma_lambda": hit}), plot_anytime({"one_comma_lambda": lost}, "games")):
        assert any(text.startswith("one comma lambda") for text in words_in(axes))
        assert not [text for text in words_in(axes) if "_" in text or "(" in text]
