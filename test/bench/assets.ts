import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchAppending } from './asset-members.ts';
import { benchPages } from './asset-pages.ts';
import { benchMetadata } from './asset-reads.ts';
import { benchBytes, benchChanges } from './asset-writes.ts';
import type { Row } from './row.ts';
import type { RuntimeName } from './runtimes.ts';

const parts = [benchChanges, benchBytes, benchMetadata, benchPages, benchAppending];

export async function benchAssets(runtime: RuntimeName): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of parts) {
    const directory = await mkdtemp(join(tmpdir(), 'portico-assets-'));
    try {
      rows.push(...(await part(runtime, directory)));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return rows;
}
