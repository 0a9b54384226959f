import { pageWithin } from '../../entities/page-weight.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { type Call, requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import { noSuchUser } from '../../identity/public.ts';
import { findUser } from '../../identity/public-reading.ts';
import { profileNamed } from '../../items/public.ts';
import {
  findAutoImport,
  listAutoImports,
  readStorages as read,
  storageNamed,
  writeStorages as write,
} from '../../media/public.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { CommitPlan } from '../../store/contract.ts';
import type { IngestParts } from '../parts.ts';
import {
  type AutoImportRule,
  autoImportFrom,
  autoImportRuleDocument,
  autoImportRuleListDocument,
} from './documents.ts';
import { checkRule, checkUser, dropAutoImport, enableAutoImport, noAutoImport, setAutoImport } from './rules.ts';

export function autoImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, render, limits, settings } = parts;
  const path = '/storage/:storage/auto-import';

  async function change(call: Call, params: Params, decide: (storage: string) => CommitPlan) {
    const { id } = await storageNamed(store, segment(params, 'storage'));
    await call.commit(decide(id));
    return done;
  }

  /** Validates the names in a rule in the request: later only the log would show the failure. */
  async function checkNamed(call: Call, rule: AutoImportRule): Promise<void> {
    if (rule.settingsId) await profileNamed(store, rule.settingsId);
    if (!rule.user) return;
    // Jobs of the rule run in the user's name long after the caller stopped acting.
    if (await onlyActs(call)) throw outlastsActing();
    const subject = subjectOf(call);
    checkUser(rule, subject.name, await subject.has(administrator));
    if (!(await findUser(store, { name: rule.user }))) throw noSuchUser(rule.user);
  }

  const switching = (enabled: boolean): Route =>
    route({
      method: 'PUT',
      path: `${path}/${enabled ? 'enable' : 'disable'}`,
      says: enabled ? 'Enables the auto-import rule of a storage.' : 'Disables the auto-import rule of a storage.',
      access: write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) => change(call, params, (id) => enableAutoImport(id, enabled)),
    });

  return [
    route({
      method: 'GET',
      path: '/storage/auto-import',
      says: 'The auto-import rules of all storages.',
      query: page(settings.maxPage),
      answers: autoImportRuleListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const values = { ...pageOf(call.query) };
        const rows = await pageWithin(listAutoImports, store.reader(accountOf(call)), values, settings.maxPageValues);
        return renderList(render, type, autoImportRuleListDocument, { rule: rows.map(autoImportFrom) }, 'rule');
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'The auto-import rule of a storage.',
      answers: autoImportRuleDocument,
      access: read,
      async handle(_call, { storage }) {
        const { id } = await storageNamed(store, storage);
        const row = await findAutoImport(store, { id });
        if (!row) throw noAutoImport(id);
        return autoImportFrom(row);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets the auto-import rule of a storage.',
      reads: autoImportRuleDocument,
      access: write,
      acting: 'partly',
      produces: [],
      async handle(call, _type, params) {
        const rule = await requireDocument(call, autoImportRuleDocument, limits);
        checkRule(rule);
        await checkNamed(call, rule);
        return change(call, params, (id) => setAutoImport(id, rule));
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes the auto-import rule of a storage, if it has one.',
      access: write,
      acting: 'allowed',
      produces: [],
      handle: (call, _type, params) => change(call, params, dropAutoImport),
    }),
    switching(true),
    switching(false),
  ];
}
