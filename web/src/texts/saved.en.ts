/** Texts of saved searches. */
export const savedEn = {
  'saved.title': 'Saved searches',
  'saved.none': 'No search is saved yet. Search for something in the library, then save it.',
  'saved.change': 'Change the search',
  'saved.deleted': 'Search “{name}” deleted.',
  'saved.empty': 'The search finds nothing now.',
} as const;
