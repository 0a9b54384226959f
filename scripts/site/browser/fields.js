/** Which fields of a section are looked at, and which are shown. The build and the page must agree. */
export const fieldsOfSearch = {
  fields: ['title', 'of', 'text'],
  storeFields: ['title', 'of', 'begins'],
};
