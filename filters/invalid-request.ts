import type { Component, Filter, Property } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse, switched } from './answers.ts';

type Check = 'blockSemicolon' | 'blockBackslash' | 'blockNonAscii' | Later;
type Later = 'blockTraversal' | 'blockEncodedPeriod' | 'blockEncodedForwardSlash' | 'blockRewriteTraversal';
type Mode = 'NORMAL' | 'STRICT' | 'NO_BLOCK';
type InvalidRequestProperties = { readonly [K in Check]?: boolean | undefined } & {
  readonly blockPathTraversal?: Mode | undefined;
  readonly pathTraversalBlockMode?: Mode | undefined;
  readonly enabled?: boolean | undefined;
};

interface Row {
  readonly form: RegExp;
  readonly reason: string;
  /** Without a word in the file. */
  readonly fallback: boolean;
  readonly says: string;
}

/** Checks. Those enabled by default are the ones of release 1.11 of the original; later ones would break its files. */
const checks: Readonly<Record<Check, Row>> = {
  blockSemicolon: { form: /;|%3b/i, reason: 'path-semicolon', fallback: true, says: 'Refuses `;` and `%3b`.' },
  blockBackslash: { form: /\\|%5c/i, reason: 'path-backslash', fallback: true, says: 'Refuses `\\` and `%5c`.' },
  blockNonAscii: {
    form: /[^\x20-\x7e]/,
    reason: 'path-non-ascii',
    fallback: true,
    says: 'Refuses control characters and everything above ASCII, encoded or not.',
  },
  blockTraversal: {
    form: /(?:^|\/)\.{1,2}(?:\/|$)/,
    reason: 'path-traversal',
    fallback: false,
    says: 'Refuses dot segments. Otherwise they are resolved before filters and routes see the path.',
  },
  blockEncodedPeriod: { form: /%2e/i, reason: 'path-encoded-period', fallback: false, says: 'Refuses `%2e`.' },
  blockEncodedForwardSlash: { form: /%2f/i, reason: 'path-encoded-slash', fallback: false, says: 'Refuses `%2f`.' },
  blockRewriteTraversal: {
    form: /\/\.{1,2};/,
    reason: 'path-rewrite-traversal',
    fallback: false,
    says: 'With blockTraversal: refuses `/..;` and `/.;`.',
  },
};

const later: readonly Later[] = [
  'blockTraversal',
  'blockEncodedPeriod',
  'blockEncodedForwardSlash',
  'blockRewriteTraversal',
];
const modes: Readonly<Record<Mode, readonly Later[]>> = {
  NO_BLOCK: [],
  NORMAL: ['blockTraversal'],
  STRICT: ['blockTraversal', 'blockEncodedPeriod', 'blockEncodedForwardSlash'],
};
const mode: Property = {
  type: { choice: Object.keys(modes) },
  says: 'Instead of the four switches: NORMAL refuses dot segments, STRICT also `%2e` and `%2f`.',
};

/** Looks at the target as it came and at the path made of it; never at the query. */
export const invalidRequest: Component<Filter> = {
  says: 'Refuses paths that programs may interpret in different ways: 400.',
  properties: {
    ...Object.fromEntries(Object.entries(checks).map(([name, { says }]) => [name, { type: 'boolean', says } as const])),
    blockPathTraversal: mode,
    pathTraversalBlockMode: mode,
    enabled: enabledProperty,
  },
  create(properties: InvalidRequestProperties, host) {
    const active = [...chosen(properties)].map((name) => ({
      form: checks[name].form,
      verdict: refuse(checks[name].reason, 400),
    }));
    const filter: Filter = {
      inert: active.length === 0,
      check: ({ rawPath, path }) => active.find(({ form }) => form.test(rawPath) || form.test(path))?.verdict ?? pass,
    };
    return switched(filter, properties.enabled, host);
  },
};

function chosen(properties: InvalidRequestProperties): ReadonlySet<Check> {
  const blockMode = properties.blockPathTraversal ?? properties.pathTraversalBlockMode;
  const clash = later.find((name) => properties[name] !== undefined);
  if (blockMode !== undefined && clash)
    throw new Error(`Expected either a mode of path traversal or ${clash}, found both`);
  const names = (Object.keys(checks) as Check[]).filter((name) => properties[name] ?? checks[name].fallback);
  const active = new Set<Check>([...names, ...(blockMode === undefined ? [] : modes[blockMode])]);
  if (!active.has('blockTraversal')) active.delete('blockRewriteTraversal');
  return active;
}
