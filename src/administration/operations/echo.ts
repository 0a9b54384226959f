import type { Description } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { readAnyDocument } from '../../http/body.ts';
import { nameIgnored } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { anybody, type Route, route } from '../../http/route.ts';

/** Limit of a public route: a larger document could delay other requests. */
const mostBytes = 65_536;

/** Forms of a client turn the XML that a person has written into JSON here. What only comes in, such as a password, stays out. */
export function echoRoute({ documents }: { readonly documents: readonly Description[] }): Route {
  function describe(root = ''): Description {
    const description = documents.find(({ name, aliases }) => name === root || aliases.includes(root));
    if (description !== undefined) return description;
    const explanation = 'Expected an XML document with the name of a document of this API as its root element';
    throw new ServiceError('bad-document', {
      context: 'body',
      explanation,
      ...(root !== '' && { value: root }),
    });
  }

  return route({
    method: 'PUT',
    path: '/APInoauth/debug/echo',
    says: 'Returns the XML document of the request, as JSON or XML.',
    reads: raw('xml'),
    answers: raw('text', documentTypes),
    access: anybody,
    acting: 'allowed',
    async handle({ request, sent, trace, limits, type, render }) {
      const bounded = { ...limits, bytes: Math.min(limits.bytes, mostBytes) };
      const { description, value } = await readAnyDocument(request, sent, describe, bounded, (name) =>
        nameIgnored(trace, name),
      );
      return render(type, description, value);
    },
  });
}
