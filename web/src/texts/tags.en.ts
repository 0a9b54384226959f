/** Texts of shape tags. */
export const tagsEn = {
  'tags.make': 'Make a shape tag',
  'tags.makeHint': 'It begins with a preset for MP4.',
  'tags.deleteQuestion': 'Delete the shape tag {tag}? Shapes keep it.',
  'tags.preset': 'Preset, as JSON',
  'tags.noJson': 'Expected JSON.',
  'tags.script': 'Script',
  'tags.scriptHint': 'Runs before each transcode, and can change the preset.',
  'tags.copies': 'Storages that must have each file',
  'tags.format': 'Format',
  'tags.video': 'Video',
  'tags.audio': 'Audio',
} as const;
