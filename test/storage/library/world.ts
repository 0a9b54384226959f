import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { Gate } from '../../../src/core/lib/gate.ts';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import { type LibraryOptions, libraryTranscoder } from '../../../src/entry/media/library-transcoder.ts';
import type { MediaSource } from '../../../src/spi/index.ts';
import { folder } from './folder.ts';

/** The films of the setup, both red, then green, then blue, a second each. */
export const film = (name: 'short' | 'long'): Uint8Array =>
  new Uint8Array(readFileSync(join(inject('films'), `${name}.mp4`)));

export const sourceOf = (bytes: Uint8Array, name = 'film'): MediaSource => ({
  size: bytes.byteLength,
  name,
  read: async ({ from, end }) => bytes.slice(from, end),
});

/** Transcoders and a media host, until the file of tests ends. */
export function mediaWorld() {
  const scratch = mkdtempSync(join(tmpdir(), 'portico-library-'));
  const opened = (more: Partial<LibraryOptions> = {}) =>
    libraryTranscoder({ folder, scratch, turns: new Gate({ width: 1 }), megabytes: 4096, now: Date.now, ...more });
  const transcoder = opened();
  const host = createMediaHost({ mediaChildren: 1, mediaChildMegabytes: 1024, probeSeconds: 20, ffprobe: '' });
  afterAll(async () => {
    await transcoder.close?.();
    await host.close();
    rmSync(scratch, { recursive: true });
  });
  return { scratch, opened, transcoder, host };
}
