/** By extension: for files that no prober knows. */
const byExtension: Readonly<Record<string, string>> = {
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  avi: 'video/x-msvideo',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  edl: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  m2ts: 'video/mp2t',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  mxf: 'application/mxf',
  pdf: 'application/pdf',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  scc: 'text/x-scc',
  srt: 'application/x-subrip',
  ttml: 'application/ttml+xml',
  txt: 'text/plain',
  vtt: 'text/vtt',
  wma: 'audio/x-ms-wma',
  wmv: 'video/x-ms-wmv',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

export const octets = 'application/octet-stream';

export function mimeTypeByName(name = ''): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? byExtension[extension]! : octets;
}

/** Whether the name promises moving pictures or sound. */
export const soundsLikeMedia = (mimeType: string): boolean =>
  /^(?:video|audio)\//.test(mimeType) || mimeType === 'application/mxf';
