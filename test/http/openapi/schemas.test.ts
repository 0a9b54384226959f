import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Description, writeJson } from '../../../src/core/documents/index.ts';
import { openApiParts } from '../../../src/http/openapi/index.ts';
import { valuesOf } from '../../core/documents/arbitrary.ts';
import { catalogue } from '../../support/declared.ts';
import { shareOfTries } from '../../support/long.ts';

/** The validator of OpenAPI documents does not look into the schemas: a published one of JSON Schema does. */
const { components } = JSON.parse(
  [...openApiParts({ routes: [], documents: catalogue, version: '1', namespace: 'urn:test' })].join(''),
);
const ajv = new Ajv2020({ strict: true, strictRequired: false, keywords: ['xml', 'components'] });
ajv.addSchema({ $id: 'openapi', components });

const validatorOf = (name: string) => ajv.compile({ $ref: `openapi#/components/schemas/${name}` });

describe('the schemas of the OpenAPI document', () => {
  it.each(Object.keys(components.schemas))('%s is a schema', (name) => {
    expect(validatorOf(name)).toBeTypeOf('function');
  });

  it.each((catalogue as readonly Description[]).map((document) => [document.name, document] as const))(
    '%s fits each document as it is written',
    (name, description) => {
      const fits = validatorOf(name);
      fc.assert(
        fc.property(valuesOf(description.structure), (value) => {
          const ok = fits(JSON.parse(writeJson(description, value)));
          expect(fits.errors ?? []).toEqual([]);
          expect(ok).toBe(true);
        }),
        { numRuns: shareOfTries(3, 10) },
      );
    },
  );

  it('fit nothing else', () => {
    expect(validatorOf('UserDocument')({ userName: 'ann', disabled: false })).toBe(true);
    expect(validatorOf('UserDocument')({ realName: 'Ann' })).toBe(false);
    expect(validatorOf('UserDocument')({ userName: 'ann', disabled: 'maybe' })).toBe(false);
    expect(validatorOf('AccessKeyDocument')({ status: 'BROKEN' })).toBe(false);
  });
});
