/** Texts of export locations. */
export const exportsEn = {
  'exports.title': 'Export locations',
  'exports.make': 'Make a location',
  'exports.none': 'There is no export location. Make one, and items can be exported to its folder.',
  'exports.name': 'Name',
  'exports.taken': 'There is a location of this name.',
  'exports.uri': 'Address of the folder',
  'exports.uriHint': 'With a slash at its end',
  'exports.tags': 'Shape tags',
  'exports.lines': 'One in each line',
  'exports.projection': 'Projection of metadata',
  'exports.script': 'Script',
  'exports.scriptHint': 'JavaScript: the value of its last statement names a file',
} as const;
