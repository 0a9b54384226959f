import type { Component, CredentialsMatcher, Plugin, PropertyTable } from '../../../src/spi/index.ts';

/** Components that the original's tests build. They are matchers, so that they can refer to each other. */
export interface Bean extends CredentialsMatcher {
  readonly properties: Readonly<Record<string, unknown>>;
}

const property = (type: PropertyTable[string]['type']) => ({ type, says: 'For tests.' });

const properties: PropertyTable = {
  name: property('string'),
  stringProp: property('string'),
  booleanProp: property('boolean'),
  intProp: property('integer'),
  simpleBean: property({ reference: 'matchers' }),
  simpleBeans: property({ references: 'matchers' }),
  simpleBeanList: property({ references: 'matchers' }),
  simpleBeanCollection: property({ references: 'matchers' }),
  mapProp: property('map'),
  simpleEnum: property({ choice: ['FOO', 'BAR'] }),
};

export const made: string[] = [];

const bean: Component<Bean> = {
  says: 'For tests.',
  properties,
  create(given, host) {
    made.push(host.name);
    return { properties: given, matches: () => false };
  },
};

const classNames = ['SimpleBean', 'CompositeBean', 'InitializableBean', 'InitCountBean'];

export const beans: Plugin = {
  name: 'beans',
  version: '1',
  contract: 1,
  matchers: Object.fromEntries(classNames.map((name) => [name, bean])),
  filters: { FilterStub: { says: 'For tests.', create: () => ({ check: () => ({ verdict: 'pass' }) }) } },
};
