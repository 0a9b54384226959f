import {
  type MetadataDocumentValue,
  type MetadataField,
  type MetadataGroup,
  type MetadataTimespan,
  metadataDocument,
} from '../../../assets/metadata/public-reading.ts';
import { DocumentError, type DocumentLimits, readJson, writeJson, writeXml } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { type Json, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import { documentOfText } from '../../../http/body.ts';
import { runStylesheet, StylesheetFails } from '../processor/run-stylesheet.ts';
import { foundIn, namespaceIn, rootOf } from '../projections.ts';
import { type AutoProjectionRule, metadataWrapperDocument } from './documents.ts';
import { type Input, maxMetadataLength, ofItem } from './wrapper.ts';

/**
 * Difference between two documents: the parts that are new or changed in the second. Only the difference is written, so
 * a slow rule reverts nothing that others changed meanwhile. Missing parts are left alone, as in any metadata document.
 */
function changedParts(before: MetadataDocumentValue, after: MetadataDocumentValue): MetadataDocumentValue | undefined {
  const spans = new Map((before.timespan ?? []).map((span) => [spanName(span), span]));
  const timespan = (after.timespan ?? []).flatMap((span): MetadataTimespan[] => {
    const content = changedContent(spans.get(spanName(span)) ?? {}, span);
    // Empty timespans would clear existing metadata.
    return content === undefined ? [] : [{ start: span.start, end: span.end, ...content }];
  });
  const group = after.group !== undefined && !isSame(before.group, after.group) ? after.group : undefined;
  if (timespan.length === 0 && group === undefined) return undefined;
  return { ...(group && { group }), timespan };
}

const spanName = ({ start = '-INF', end = '+INF' }: MetadataTimespan): string => `${start} ${end}`;
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Content = Pick<MetadataGroup, 'field' | 'group'>;

function changedContent(before: Content, after: Content): Content | undefined {
  const fields = new Set((before.field ?? []).map((each) => JSON.stringify(each)));
  const groups = new Map((before.group ?? []).flatMap((each) => (each.uuid ? [[each.uuid, each] as const] : [])));
  const field = (after.field ?? []).filter((each: MetadataField) => !fields.has(JSON.stringify(each)));
  const group = (after.group ?? []).flatMap((each) => changedGroup(groups.get(each.uuid ?? ''), each));
  return field.length + group.length === 0 ? undefined : { field, group };
}

function changedGroup(before: MetadataGroup | undefined, after: MetadataGroup): readonly MetadataGroup[] {
  if (before === undefined) return [after];
  const { field: _fields, group: _groups, ...own } = after;
  const { field: _oldFields, group: _oldGroups, ...oldOwn } = before;
  const content = changedContent(before, after);
  if (content === undefined && isSame(oldOwn, own)) return [];
  return [{ ...own, ...content }];
}

/** Context for stylesheets: the time in milliseconds, and the namespace of documents. */
interface Styling {
  readonly now: number;
  readonly namespace: string;
}

/** A step may take a second, and an instance that spends minutes on a rule loses the lease. */
const maxSteps = 50;

/** Triggers of a rule without the element `triggers`. */
const defaultValue: NonNullable<NonNullable<AutoProjectionRule['triggers']>['trigger']> = ['itemMetadata'];

export const startsAt = ({ triggers }: AutoProjectionRule, cause: string): boolean =>
  (triggers?.trigger ?? defaultValue).some((trigger) => trigger === cause);

/**
 * Runs the steps of a rule in order and returns the changed metadata. Undefined: nothing changed. Throws ScriptFails.
 */
export async function runRule(
  { step = [] }: AutoProjectionRule,
  { metadata, wrapper, told }: Input,
  limits: DocumentLimits,
  styling: Styling,
): Promise<MetadataDocumentValue | undefined> {
  if (step.length > maxSteps) throw new ScriptFails(`Expected at most ${maxSteps} steps: found ${step.length}`);
  let current: Json = wrapper;
  for (const { order, script, xslt = '' } of step.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))) {
    const place = order === undefined ? 'a step' : `step ${order}`;
    current =
      script === undefined
        ? await styled(xslt, current, told, place, limits, styling)
        : await stepped(script, current, place);
  }
  const left = await metadataIn(current, limits);
  await yieldTurn();
  return changedParts(metadata, left);
}

/** Runs a stylesheet on the wrapper. It returns a MetadataDocument, or another wrapper. */
async function styled(
  stylesheet: string,
  given: Json,
  told: Input['told'],
  place: string,
  limits: DocumentLimits,
  { now, namespace }: Styling,
): Promise<Json> {
  const before = await metadataIn(given, limits);
  await yieldTurn();
  const namespaces = namespaceIn(stylesheet, namespace);
  const input = writeXml(metadataWrapperDocument, { ...told, metadata: before }, namespaces);
  try {
    const { text } = await runStylesheet({ stylesheet, input, now });
    // For scripts, the sandbox enforces the limit.
    if (text.length > maxMetadataLength) {
      const expectation = `at most ${maxMetadataLength} characters of the stylesheet in ${place}: found ${text.length}`;
      throw new ScriptFails(`Expected ${expectation}`);
    }
    const root = rootOf(text);
    const isWrapper = root === 'MetadataWrapperDocument';
    if (!isWrapper && root !== 'MetadataDocument') {
      throw new ScriptFails(`Expected a MetadataDocument of the stylesheet in ${place}: found ${foundIn(root)}`);
    }
    const projected = isWrapper
      ? ((await documentOfText(text, metadataWrapperDocument, ofItem(limits))).metadata ?? {})
      : await documentOfText(text, metadataDocument, ofItem(limits));
    await yieldTurn();
    const json = String(writeJson(metadataDocument, projected));
    await yieldTurn();
    return { ...(given as object), metadata: JSON.parse(json) as Json };
  } catch (error) {
    if (error instanceof StylesheetFails) throw new ScriptFails(`In ${place}: ${error.message}`);
    if (!(error instanceof ServiceError)) throw error;
    const { explanation } = error.detail;
    throw new ScriptFails(`Expected a MetadataDocument of the stylesheet in ${place}: ${explanation}`);
  }
}

async function stepped(script: string, given: Json, place: string): Promise<Json> {
  try {
    const left = (await runScript(script, { wrapper: given }, ['wrapper']))['wrapper'];
    if (typeof left === 'object' && left !== null && !Array.isArray(left)) return left;
  } catch (error) {
    if (error instanceof ScriptFails) throw new ScriptFails(`In ${place}: ${error.message}`);
    throw error;
  }
  throw new ScriptFails(`Expected an object in the variable "wrapper" behind ${place}`);
}

/** Parses the metadata of the wrapper, yielding to the event loop between steps: up to a million characters. */
async function metadataIn(wrapper: Json, limits: DocumentLimits): Promise<MetadataDocumentValue> {
  const left = (wrapper as Readonly<Record<string, Json>>)['metadata'];
  await yieldTurn();
  const json = JSON.stringify(left ?? null);
  await yieldTurn();
  try {
    return readJson(metadataDocument, json, ofItem(limits));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new ScriptFails(`Expected a MetadataDocument in "wrapper.metadata": ${error.explanation}`);
  }
}
