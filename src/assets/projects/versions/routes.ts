import { uriListDocument, writeJson } from '../../../documents/index.ts';
import { requireDocument } from '../../../http/call.ts';
import { documentOrText } from '../../../http/negotiation.ts';
import { located, plain } from '../../../http/reply.ts';
import type { Route } from '../../../http/route.ts';
import { changing, together } from '../../../store/work.ts';
import { mustHave } from '../../access/access.ts';
import { keep } from '../../attachments/rules.ts';
import { newCollection } from '../../collections/change.ts';
import { collectionName, collectionNamed, write } from '../../collections/kinds.ts';
import { joinNew } from '../../collections/members/change.ts';
import type { AssetParts } from '../../parts.ts';
import { expectItems } from '../../sequences/items.ts';
import { projectVersionDocument } from './documents.ts';
import { itemNamesOf, itemsOfSequences, ownFormat, versionKind } from './rules.ts';

/** A version of a project is a collection in it. */
export function projectVersionRoutes(parts: AssetParts): readonly Route[] {
  const { store, limits, clock, render } = parts;
  return [
    {
      method: 'POST',
      path: '/collection/:collection/version',
      says: 'Makes a version of a project: a collection in it with the items, sequences and metadata of the document.',
      reads: projectVersionDocument,
      answers: [uriListDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type, params) {
        const project = await collectionNamed(store, params['collection']!);
        await mustHave(store, call, collectionName, project, 'WRITE');
        const document = await requireDocument(call, projectVersionDocument, limits);
        const { metadata, sequence = [] } = document;
        const content = itemNamesOf(document).map((id) => ({ id, type: 'item' as const }));
        await expectItems(store, call, itemsOfSequences(document));
        const kept = {
          mediaType: 'application/json',
          content: new TextEncoder().encode(writeJson(projectVersionDocument, { sequence })),
        };
        const id = await newCollection(parts, call, undefined, [], { metadata, content }, (made) => {
          const owner = { type: 'collection', id: made };
          const sequences = keep(owner, versionKind, ownFormat, kept, clock.now(), []);
          const joins = joinNew(parts, project, { type: 'collection', id: made });
          return together(sequence.length > 0 ? sequences : changing(), joins);
        });
        const reply = type === 'text/plain' ? plain(`${id}\r\n`) : render(type, uriListDocument, { uri: [id] });
        return located(reply, call, 'collection', id);
      },
    },
  ];
}
