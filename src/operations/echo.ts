import type { Description, DocumentLimits } from '../documents/index.ts';
import { readAnyDocument } from '../http/body.ts';
import { nameIgnored } from '../http/ignored.ts';
import { documentTypes, type MediaType } from '../http/negotiation.ts';
import type { Reply } from '../http/reply.ts';
import { anybody, type Route, route } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';

interface Parts {
  readonly documents: readonly Description[];
  readonly limits: DocumentLimits;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

/** Limit of a public route: a larger document could delay other requests. */
const mostBytes = 65_536;

/** Forms of a client turn the XML that a person has written into JSON here. What only comes in, such as a password, stays out. */
export function echoRoute({ documents, limits, render }: Parts): Route {
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
    reads: 'xml',
    answers: 'text',
    access: anybody,
    acting: 'allowed',
    produces: documentTypes,
    async handle({ request, sent, trace }, type) {
      const bounded = { ...limits, bytes: Math.min(limits.bytes, mostBytes) };
      const { description, value } = await readAnyDocument(request, sent, describe, bounded, (name) =>
        nameIgnored(trace, name),
      );
      return render(type, description, value);
    },
  });
}
