/** The field that subtitles go to. */
export const subtitleField = 'stl_text';
