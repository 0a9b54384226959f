export const subtitleField = 'stl_text';
