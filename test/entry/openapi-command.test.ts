import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/store.ts';

describe('portico openapi', () => {
  it.each([
    ['the OpenAPI document', ['openapi'], (out: string) => JSON.parse(out).openapi, '3.1.1'],
    ['JSON alone for generators', ['openapi', '--json'], (out: string) => out.includes('application/xml'), false],
    [
      'the XML Schema',
      ['openapi', '--xsd'],
      (out: string) => out.split('\n')[0],
      '<?xml version="1.0" encoding="UTF-8"?>',
    ],
  ])('prints %s, and makes no database', async (_, words, read, expected) => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const { code, out } = await tryCli(words, { root: directory.path });
    expect([code, read(out)]).toEqual([0, expected]);
    expect(await readdir(directory.path)).toEqual([]);
  });
});
