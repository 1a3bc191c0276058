// Glyphs that turn while something works, as a regular expression's class of characters: sets change from version to version.

/** Braille, circles by quarters and halves, arcs, triangles, squares by quarters, blocks and bars. No bullet of a list, no pointer. */
export const SPIN = '\\u2801-\\u28ff◐-◓◴-◷◜-◡◢-◥◰-◳▖-▟▁-█▉-▏⌛⏳🌑-🌘🕐-🕛';
