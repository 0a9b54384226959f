import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse, switched } from './answers.ts';

/** Words that may stand for a method in brackets: a misspelt one would open what it was meant to close. */
export const methodNames = new Set(
  (
    'GET HEAD POST PUT DELETE OPTIONS PATCH TRACE CONNECT PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH REPORT ' +
    'ACL BIND UNBIND REBIND CHECKIN CHECKOUT UNCHECKOUT LABEL LINK UNLINK MERGE MKACTIVITY MKCALENDAR MKWORKSPACE ' +
    'ORDERPATCH QUERY UPDATE BASELINE-CONTROL VERSION-CONTROL MKREDIRECTREF UPDATEREDIRECTREF'
  ).split(' '),
);

/** Without brackets a path can only be read. */
const reading: readonly string[] = ['GET', 'HEAD'];

function readMethods(words: readonly string[]): ReadonlySet<string> {
  const methods = new Set(words.map((word) => word.toUpperCase()));
  for (const method of methods)
    if (!methodNames.has(method)) throw new Error(`Expected a method of HTTP such as GET, found "${method}"`);
  // A route that answers GET answers HEAD, too.
  return methods.has('GET') ? methods.add('HEAD') : methods;
}

export const methods: Component<Filter> = {
  says: 'Lets requests pass whose method is in the brackets, `methods[GET, POST]`. Without brackets: GET and HEAD. Other methods get 405.',
  properties: { enabled: enabledProperty },
  create({ enabled }: { readonly enabled?: boolean | undefined }, host) {
    const filter: Filter = {
      options: readMethods,
      check({ method, options }) {
        const allowed = (options as ReadonlySet<string> | undefined) ?? new Set(reading);
        if (allowed.has(method)) return pass;
        return refuse('method-closed', 405, { allow: [...allowed].join(', ') });
      },
    };
    return switched(filter, enabled, host);
  },
};
