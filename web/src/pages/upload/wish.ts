import { signal } from '@preact/signals';
import type { UploadWish } from '../../api/upload-list.ts';

/** Wish for the next files. Stays while the program is open. */
export const nextWish = signal<UploadWish>({ tags: [], fields: {} });
