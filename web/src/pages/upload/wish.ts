import { signal } from '@preact/signals';
import type { UploadWish } from '../../api/upload-list.ts';

/** What the next files get. Stays while the program is open. */
export const nextWish = signal<UploadWish>({ tags: [], fields: {} });
