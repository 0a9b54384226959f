/** The numbered rules of the description: by chapter and section, how many there are. */
export const chapters: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  common: { G1: 3, G4: 10 },
  'fields-and-groups': { 4: 17 },
  items: { 4: 11 },
  'item-metadata': { 3: 22, 5: 5 },
  'collections-libraries': { 3: 12, 4: 8 },
  shapes: { 3: 12 },
  'upgrade-and-maintenance': { 2: 8, 3: 7, 4: 8, 5: 6 },
  access: { 4: 15 },
  search: { 4: 23 },
  quota: { 2: 6, 3: 5 },
  jobs: { 4: 14 },
  import: { 3: 15 },
  'transcode-export': { 1: 4, 2: 9, 3: 6, 4: 9 },
  storages: { 3: 11, 4: 9, 5: 6, 6: 4 },
  files: { 4: 9 },
};

/** How many rows of requirements begin with each letter. */
export const letters: Readonly<Record<string, number>> = { S: 15, A: 20, N: 19, Q: 8, M: 20, U: 14 };

/** Rules that no scenario shows, with what the service does. */
export const unshown: Readonly<Record<string, string>> = {
  'access 4.12': 'Each step of a job asks for the rights of its user as they are then',
  'import 3.7': 'Imports make thumbnails also where they make no other shape',
  'transcode-export 3.2': 'Documents have no pages here: a period is a time',
  'transcode-export 3.4': 'Pictures lie in the database, and no resource has to be made before',
  'storages 3.10': 'A storage of the type REMOTE is read where it is, and one of the type ARCHIVE runs no script',
};
