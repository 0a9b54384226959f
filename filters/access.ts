import type { Component, Filter, FilterRequest, KnownCaller, PropertyTable, Verdict } from '../src/spi/index.ts';
import { enabledProperty, pass, redirect, refuse, switched, urlProperty } from './answers.ts';

interface AccessProperties {
  readonly loginUrl?: string | undefined;
  readonly unauthorizedUrl?: string | undefined;
  readonly enabled?: boolean | undefined;
}

const accessProperties: PropertyTable = {
  loginUrl: urlProperty('Where a caller who is not known is sent. Without it: 401.'),
  unauthorizedUrl: urlProperty('Where a known caller who may not is sent. Without it: 403.'),
  enabled: enabledProperty,
};

/** Nothing to log in with here: no challenge, which is for the filter that could use the answer. */
function unknownCaller(loginUrl: string | undefined): Verdict {
  return loginUrl === undefined ? refuse('caller-unknown', 401) : redirect('caller-unknown', loginUrl);
}

interface Demand {
  readonly says: string;
  /** Reason of a refusal. */
  readonly missing: string;
  /** Requirements of this request, in words for `holds`. */
  demanded(words: readonly string[], request: FilterRequest): readonly string[];
  /** Throws a sentence for a word that no caller can ever hold. */
  checkWord(word: string): void;
  holds(caller: KnownCaller, demanded: string): Promise<boolean> | boolean;
}

/** Filters that require roles or permissions of an authenticated caller. Without brackets they require nothing. */
export function demanding({ says, missing, demanded, checkWord, holds }: Demand): Component<Filter> {
  return {
    says,
    properties: accessProperties,
    create({ loginUrl, unauthorizedUrl, enabled }: AccessProperties, host) {
      const unknown = unknownCaller(loginUrl);
      const forbidden = unauthorizedUrl === undefined ? refuse(missing, 403) : redirect(missing, unauthorizedUrl);
      const filter: Filter = {
        options(words) {
          for (const word of words) checkWord(word);
          return words;
        },
        async check(request) {
          const words = (request.options ?? []) as readonly string[];
          if (words.length === 0) return pass;
          if (!request.caller) return unknown;
          for (const each of demanded(words, request)) if (!(await holds(request.caller, each))) return forbidden;
          return pass;
        },
      };
      return switched(filter, enabled, host);
    },
  };
}

export const roles = demanding({
  says: 'Lets callers pass who have all the roles in the brackets.',
  missing: 'role-missing',
  demanded: (words) => words,
  checkWord(word) {
    if (word.trim() === '') throw new Error('Expected the name of a role, found an empty one');
  },
  holds: (caller, role) => caller.hasRole(role),
});

const { loginUrl, enabled } = accessProperties;

export const user: Component<Filter> = {
  says: 'Lets a caller pass that an earlier filter has accepted.',
  properties: { loginUrl: loginUrl!, enabled: enabled! },
  create(properties: AccessProperties, host) {
    const unknown = unknownCaller(properties.loginUrl);
    const login = properties.loginUrl;
    return switched(
      // The page to log in at is open: else it would lead to itself.
      { check: ({ caller, path }) => (caller || path === login ? pass : unknown) },
      properties.enabled,
      host,
    );
  },
};
