import { signal } from '@preact/signals';
import { me } from '../../api/session.ts';
import type { UploadWish } from '../../api/upload-list.ts';

/** What a person has chosen for the next files. Stays while the program is open. Undefined: nothing yet. */
export const nextWish = signal<UploadWish | undefined>(undefined);

/** Films also get a form for the web where a transcoder is there, unless a person takes it out. */
export const wishNow = (): UploadWish =>
  nextWish.value ?? { tags: me.value?.webTag === undefined ? [] : [me.value.webTag], fields: {} };
