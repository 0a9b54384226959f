import { DocumentError, type DocumentLimits, readJson } from '../../documents/index.ts';
import { type Json, runScript, ScriptFails } from '../../scripts/run-script.ts';
import { type MetadataDocumentValue, metadataDocument } from '../documents/metadata.ts';
import { changedParts } from './changed-parts.ts';
import type { AutoProjectionRule } from './documents.ts';
import { type Input, ofItem } from './wrapper.ts';

/** Each may take a second, and an instance that takes minutes for a rule loses its item. */
const mostSteps = 50;

/** Of rules without the element. */
const usual: NonNullable<NonNullable<AutoProjectionRule['triggers']>['trigger']> = ['itemMetadata'];

export const startsAt = ({ triggers }: AutoProjectionRule, cause: string): boolean =>
  (triggers?.trigger ?? usual).some((trigger) => trigger === cause);

/** What the steps of a rule change, one behind the other. Undefined: nothing. Throws ScriptFails. */
export async function runRule(
  { step = [] }: AutoProjectionRule,
  { metadata, wrapper }: Input,
  limits: DocumentLimits,
): Promise<MetadataDocumentValue | undefined> {
  if (step.length > mostSteps) throw new ScriptFails(`Expected at most ${mostSteps} steps: found ${step.length}`);
  let given: Json = wrapper;
  for (const { order, script } of step.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))) {
    const place = order === undefined ? 'a step' : `step ${order}`;
    if (script === undefined) {
      throw new ScriptFails(`Expected a script in ${place}: this service has no processor of XSLT`);
    }
    given = await stepped(script, given, place);
  }
  return changedParts(metadata, metadataIn(given, limits));
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

function metadataIn(wrapper: Json, limits: DocumentLimits): MetadataDocumentValue {
  const left = (wrapper as Readonly<Record<string, Json>>)['metadata'];
  try {
    return readJson(metadataDocument, JSON.stringify(left ?? null), ofItem(limits));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new ScriptFails(`Expected a MetadataDocument in "wrapper.metadata": ${error.explanation}`);
  }
}
