export { createMediaHost } from './child/host.ts';
export { mediaNotices } from './child/spawn-limited.ts';
export { ffmpegTranscoder } from './ffmpeg/transcoder.ts';
export { libraryTranscoder } from './library-transcoder.ts';
export { drawingPlugin, pdfDrawer } from './pdf-drawer.ts';
