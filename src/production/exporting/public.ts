export { type ExportParts, openExportParts } from './parts.ts';
export type { ExportMemo } from './running/export-job.ts';
export { type ExportFile, filesToExport } from './running/files.ts';
export { pathOf } from './running/names.ts';
export { jobOf, projectionFails } from './running/sidecar.ts';
export type { ExportedFile } from './running/store.ts';
export { exportTemplatesHook, type FilesByTemplate } from './running/templates.ts';
export type { ExportSettings } from './settings.ts';
