import { badValue } from '../../core/documents/error.ts';
import { compare, type Instant, instantOf, mediaSeconds } from '../../core/lib/time-code.ts';

/** Part of the media: times, and what is marked on the picture. Null: all of it. */
export interface Region {
  readonly start: string | null;
  readonly end: string | null;
  readonly rectangle: string | null;
  readonly drawing: string | null;
}

export const noRegion: Region = { start: null, end: null, rectangle: null, drawing: null };

/** Throws unless times are in order, and what is marked can be drawn. */
export function checkRegion({ start, end, rectangle, drawing }: Region, place: string): void {
  const from = start === null ? undefined : timeOf(start, `${place}/start`);
  if (end !== null) {
    if (!from) throw badValue(`${place}/start`, 'a start, since there is an end');
    if (compare(timeOf(end, `${place}/end`), from) < 0) throw badValue(`${place}/end`, 'a time from the start on', end);
  }
  if (rectangle !== null) checkRectangle(rectangle, `${place}/rectangle`);
  if (drawing !== null) checkDrawing(drawing, `${place}/drawing`);
}

function timeOf(text: string, place: string): Instant {
  if (mediaSeconds(text) !== undefined) return instantOf(text)!;
  throw badValue(place, 'a time code from 0 on, within 100,000 hours, such as 250@PAL', text);
}

const rectangleForm =
  /^(percent|pixel):(\d{1,6}(?:\.\d{1,6})?),(\d{1,6}(?:\.\d{1,6})?),(\d{1,6}(?:\.\d{1,6})?),(\d{1,6}(?:\.\d{1,6})?)$/;

/** Percent beyond the picture, for values that were rounded. */
const rounding = 0.01;

function checkRectangle(text: string, place: string): void {
  const [, unit, ...numbers] = rectangleForm.exec(text) ?? [];
  const [left = 0, top = 0, width = 0, height = 0] = numbers.map(Number);
  const isWithin = unit === 'pixel' || (left + width <= 100 + rounding && top + height <= 100 + rounding);
  if (unit !== undefined && width > 0 && height > 0 && isWithin) return;
  throw badValue(place, 'a part of the picture such as percent:10,20,30,40', text);
}

const encoder = new TextEncoder();

/** Bytes of a drawing. */
const maxDrawing = 16_384;

/** Attributes of the elements of drawings, by the form of their values. */
const number = String.raw`[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:[eE][+-]?\d{1,2})?`;
const one = new RegExp(`^${number}(?:px|%)?$`);
const many = /^[\d\s,.eE+-]*$/;
const path = /^[\d\s,.eE+\-MmZzLlHhVvCcSsQqTtAa]*$/;
const namespace = /^http:\/\/www\.w3\.org\/2000\/svg$/;
const box = { x: one, y: one, width: one, height: one };

const attributesOf: ReadonlyMap<string, Readonly<Record<string, RegExp>>> = new Map([
  ['svg', { xmlns: namespace, 'xmlns:svg': namespace, version: one, viewBox: many, ...box }],
  ['path', { d: path }],
  ['polyline', { points: many }],
  ['rect', { ...box, rx: one, ry: one }],
  ['ellipse', { cx: one, cy: one, rx: one, ry: one }],
]);

const tag = /\s*<(\/?)((?:svg:)?([a-z]{1,8}))((?:\s+[\w:]{1,20}\s*=\s*(?:"[^"'<>&]*"|'[^"'<>&]*'))*)\s*(\/?)>/y;
const attribute = /([\w:]+)\s*=\s*["']([^"']*)["']/g;

/** Throws unless the text is an SVG of shapes with numbers: nothing in it can run, load or refer to anything. */
export function checkDrawing(text: string, place: string): void {
  if (encoder.encode(text).byteLength > maxDrawing)
    throw badValue(place, `at most ${maxDrawing} bytes`, String(encoder.encode(text).byteLength));
  const open: string[] = [];
  let at = 0;
  let shapes = 0;
  const refuse = () => badValue(place, 'an svg of path, polyline, rect and ellipse with numbers alone', text.slice(at));
  while (at < text.length) {
    tag.lastIndex = at;
    const [whole, closing, full = '', name = '', attributes = '', empty] = tag.exec(text) ?? [];
    const allowed = attributesOf.get(name);
    if (whole === undefined || !allowed) {
      if (open.length === 0 && shapes > 0 && text.slice(at).trim() === '') return;
      throw refuse();
    }
    const isRoot = open.length === 0;
    if (closing === '/') {
      if (open.pop() !== full || attributes !== '' || empty === '/') throw refuse();
    } else {
      // The root is the first element and the only svg, and shapes have nothing in them.
      if ((name === 'svg') !== isRoot || open.length > 1 || (isRoot && at > 0)) throw refuse();
      const keys = new Set<string>();
      for (const [, key = '', content = ''] of attributes.matchAll(attribute)) {
        if (keys.has(key) || !Object.hasOwn(allowed, key) || !allowed[key]!.test(content)) throw refuse();
        keys.add(key);
      }
      if (name !== 'svg') shapes++;
      if (empty !== '/') open.push(full);
    }
    at += whole.length;
  }
  if (open.length > 0 || shapes === 0) throw refuse();
}
