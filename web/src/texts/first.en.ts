/** Texts of the set-up. */
export const firstEn = {
  'first.title': 'Set up Portico',
  'first.lead': 'Four steps to the first film.',
  'first.over': 'Portico is set up: it has a storage.',
  'first.password': 'Your password',
  'first.passwordHint': 'At least {least} characters. It takes the place of the one that the start printed.',
  'first.showPassword': 'Show the password',
  'first.next': 'Go on',
  'first.setPassword': 'Set the password',
  'first.keepPassword': 'Keep the printed one',
  'first.storage': 'A place for files',
  'first.folder': 'Address of the folder',
  'first.folderHint': 'A folder on the machine of the service, below those of the setting PORTICO_STORAGE_ROOTS.',
  'first.makeStorage': 'Make the storage',
  'first.alsoMakes':
    'Presets, the groups viewer, editor, librarian and operator, and the fields Description, Keywords, Rating and Comment are made with it.',
  'first.ready': 'The first film',
  'first.withTranscoder': 'A transcoder is there: uploads get thumbnails and forms for the web.',
  'first.withoutTranscoder': 'No transcoder is there, so thumbnails wait until one is installed, such as ffmpeg.',
  'first.upload': 'Upload',
} as const;
