import type { ItemsContext } from '../../../assets/items/public.ts';
import {
  type AttachmentRow,
  attachmentThere,
  findAttachment,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  missingAttachment as missing,
  namesOfAttachments,
  deleteAttachment as remove,
  removeAttachment,
  writeAttachment,
} from '../../../assets/metadata/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { readJson, writeJson } from '../../../core/documents/index.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { uris } from '../../../http/answers.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { checkStylesheet } from '../projections.ts';
import { autoProjectionRuleDocument } from './documents.ts';
import { failureOf, forgetFailure, rulesOwner as nobody, switchedOff as off, switchedOn as on } from './store.ts';

const noun = 'AutoProjectionRule';
const kindOf = (kind: string): Kind => ({ kind, noun, max: 1000 });
const switches = [
  ['enable', on, off, 'on'],
  ['disable', off, on, 'off'],
] as const;

/** A rule, with the kind that says whether it is switched on. */
interface Rule {
  readonly kind: string;
  readonly row: AttachmentRow;
}

/** Routes for rules that change metadata when metadata changes. */
export function autoProjectionRoutes({ store, limits, clock }: ItemsContext): readonly Route[] {
  const path = '/auto-projection';
  const one = `${path}/:rule`;
  const read = role('_auto_projection_read');
  const write = role('_auto_projection_write');

  const rowIn = (kind: string, name: string) => findAttachment(store, { ...nobody, kind, name });
  const rule: PathEntity<Rule> = {
    kind: 'auto-projection',
    async find(name) {
      for (const kind of [on, off]) {
        const row = await rowIn(kind, name);
        if (row) return { kind, row };
      }
      throw missing(noun, name);
    },
  };

  const listing = (at: string, says: string, kinds: readonly string[]): Route =>
    route({
      method: 'GET',
      path: at,
      says,
      answers: uris,
      access: read,
      async handle() {
        const names = await Promise.all(kinds.map((kind) => namesOfAttachments(store, { ...nobody, kind })));
        return names
          .flat()
          .map(({ name }) => name)
          .sort();
      },
    });

  return [
    listing(path, 'The names of the auto-projection rules.', [on, off]),
    ...switches.map(([word, kind, , state]) =>
      listing(`${path}/${word}`, `The names of the auto-projection rules that are switched ${state}.`, [kind]),
    ),
    route({
      method: 'GET',
      path: one,
      says: 'An auto-projection rule.',
      entities: { rule },
      answers: autoProjectionRuleDocument,
      access: read,
      async handle(_call, { rule }) {
        const { name, content } = rule.row;
        const value = readJson(autoProjectionRuleDocument, content, limits);
        const failure = await failureOf(store, { name });
        const failed = failure && { lastFailure: failure.at, failureMessage: failure.says };
        return { ...value, name, ...failed };
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Sets an auto-projection rule, which updates metadata when other metadata changes.',
      reads: autoProjectionRuleDocument,
      access: write,
      acting: 'refused',
      async handle(call, { rule = '' }) {
        if (switches.some(([word]) => word === rule))
          throw badValue('path', 'another name than enable or disable', rule);
        const document = call.body;
        for (const { xslt } of document.step ?? []) {
          if (xslt !== undefined) await checkStylesheet(call, rule, xslt, clock.now());
        }
        const kind = (await rowIn(off, rule)) ? off : on;
        const content = new TextEncoder().encode(writeJson(autoProjectionRuleDocument, document));
        const stored = { mediaType: 'application/json', content };
        const work = keep(nobody, kindOf(kind), rule, stored, clock.now(), []);
        await call.commit(together(work, changing(forgetFailure({ name: rule }))));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes an auto-projection rule.',
      entities: { rule },
      access: write,
      acting: 'refused',
      async handle(call, { rule: { kind, row } }) {
        const { name } = row;
        await call.commit(together(remove(nobody, kindOf(kind), name), changing(forgetFailure({ name }))));
      },
    }),
    ...switches.map(
      ([word, to, from, state]): Route =>
        route({
          method: 'PUT',
          path: `${one}/${word}`,
          says: `Switches an auto-projection rule ${state}.`,
          entities: { rule },
          access: write,
          acting: 'refused',
          async handle(call, { rule: { kind, row } }) {
            if (kind === to) return;
            const { name, mediaType, content } = row;
            const entry = { ...nobody, kind: from, name };
            const moved = writeAttachment({ ...entry, kind: to, mediaType, content, now: clock.now() });
            await call.commit(changing(attachmentThere(entry, missing(noun, name)), removeAttachment(entry), moved));
          },
        }),
    ),
  ];
}
