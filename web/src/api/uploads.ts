import { signal } from '@preact/signals';
import type { UploadEntry } from './upload-list.ts';

/** All uploads of this page, the newest last. Lists show them before what sends files is loaded. */
export const uploads = signal<readonly UploadEntry[]>([]);
