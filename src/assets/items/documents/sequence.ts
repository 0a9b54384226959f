import {
  attribute,
  boolean,
  decimal,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { timeCode } from '../../shapes/public-reading.ts';

const effect = structure('EffectType', {
  parameter: list(
    structure('EffectParameterType', {
      point: list(
        structure('EffectPointType', { value: attribute(decimal).required, position: attribute(integer).required }),
      ),
      name: attribute(string).required,
      value: attribute(decimal),
    }),
  ),
  name: attribute(string).required,
});

const segment = structure('SequenceMediaType', {
  item: element(string).required,
  sourceTrack: element(integer).required,
  in: element(timeCode),
  out: element(timeCode),
  sourceIn: element(timeCode),
  sourceOut: element(timeCode),
  effect: list(effect),
});

const transition = structure('SequenceTransitionType', {
  in: element(timeCode).required,
  out: element(timeCode).required,
  wipe: element(integer),
  transition: element(string).required,
  horizRepeat: element(integer),
  vertRepeat: element(integer),
  startPercentage: element(integer),
  endPercentage: element(integer),
  reverse: element(boolean),
  borderWidth: element(integer),
  borderColor: element(string),
});

/** Sequence of parts of items, on tracks. */
export const sequenceType = structure('SequenceType', {
  id: element(string),
  track: list(
    structure('SequenceTrackType', {
      audio: element(boolean),
      segment: list(segment),
      transition: list(transition),
    }),
  ),
});
export type Sequence = Value<typeof sequenceType>;
