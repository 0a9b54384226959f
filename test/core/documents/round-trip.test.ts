import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xmlCharacters } from '../../../src/core/documents/escape.ts';
import { createXmlReader, readJson, readXml, writeJson, writeXml } from '../../../src/core/documents/index.ts';
import { storable } from '../../../src/core/lib/storable.ts';
import { descriptions, mapTexts, valuesOf } from './arbitrary.ts';

const namespace = 'urn:example:schema';

describe.each(descriptions.map((description) => [description.structure.name, description] as const))(
  '%s',
  (_, description) => {
    it('XML -> value -> JSON -> value -> XML ends where it began', () => {
      fc.assert(
        fc.property(valuesOf(description.structure), (value) => {
          const xml = writeXml(description, value, namespace);
          const read = readXml(description, xml);
          expect(read).toEqual(mapTexts(value, xmlCharacters));
          const again = readJson(description, writeJson(description, read));
          expect(again).toEqual(read);
          expect(writeXml(description, again, namespace)).toBe(xml);
        }),
        { numRuns: 8 },
      );
    });

    it('JSON keeps every character, also those that XML cannot carry', () => {
      fc.assert(
        fc.property(valuesOf(description.structure), (made) => {
          const value = mapTexts(made, storable) as typeof made;
          expect(readJson(description, writeJson(description, value))).toEqual(value);
        }),
        { numRuns: 8 },
      );
    });

    it('is read the same from bytes that arrive in pieces of any size', () => {
      fc.assert(
        fc.property(valuesOf(description.structure), fc.integer({ min: 1, max: 40 }), (value, size) => {
          const xml = writeXml(description, value, namespace);
          const bytes = new TextEncoder().encode(xml);
          const reader = createXmlReader(description);
          for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
          expect(reader.end()).toEqual(readXml(description, xml));
        }),
        { numRuns: 3 },
      );
    });
  },
);
