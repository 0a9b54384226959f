import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bodyOf, fieldsOf } from '../../../src/administration/notifications/body.ts';
import { type TriggerEvent, triggerEvents, triggers } from '../../support/declared.ts';
import { elementsOf, notification, samples, stored } from './support.ts';

const folder = new URL('./golden/', import.meta.url);
/** `PORTICO_GOLDEN=write` in the environment puts what is written now in place of what was agreed: read the difference. */
const writes = process.env['PORTICO_GOLDEN'] === 'write';

const forms = [
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
] as const;

const fileOf = (name: TriggerEvent, ending: string): string => `${name.replaceAll('/', '-')}.${ending}`;

describe('the body of every trigger, byte for byte', () => {
  it.each(triggerEvents)('%s', (name) => {
    const fields = fieldsOf(triggers, stored(name, samples[name]), notification(elementsOf(name)), 0);
    for (const [ending, contentType] of forms) {
      const { body } = bodyOf(contentType, fields, 'urn:portico:schema');
      const file = new URL(fileOf(name, ending), folder);
      if (writes) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, body);
      }
      expect(existsSync(file), `${file.pathname} is missing`).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe(body);
    }
  });

  it('has no file of a trigger that is no more', () => {
    const expected = triggerEvents.flatMap((name) => forms.map(([ending]) => fileOf(name, ending)));
    expect(readdirSync(folder).sort()).toEqual(expected.sort());
  });
});
