/** A box of an ISO file: where its content begins and ends. */
export interface ContainerBox {
  readonly type: string;
  readonly from: number;
  readonly end: number;
}

/** The box at a place in some bytes. Undefined: there is no box. The last one may say that it goes on to the end. */
export function boxAt(view: DataView, at: number, offset: number, end: number): ContainerBox | undefined {
  if (at + 8 > view.byteLength) return undefined;
  const short = view.getUint32(at);
  const type = String.fromCharCode(...[4, 5, 6, 7].map((place) => view.getUint8(at + place)));
  const isLong = short === 1 && at + 16 <= view.byteLength;
  const length = isLong ? Number(view.getBigUint64(at + 8)) : short;
  const start = offset + at;
  if (short === 0) return { type, from: start + 8, end };
  return length < 8 ? undefined : { type, from: start + (isLong ? 16 : 8), end: start + length };
}

/** The boxes in a part of some bytes. One that is longer than the part is none. */
export function boxesIn(bytes: DataView, from: number, end: number): ContainerBox[] {
  const boxes: ContainerBox[] = [];
  for (let at = from; at < end; ) {
    const box = boxAt(bytes, at, 0, end);
    if (!box || box.end > end || box.from > box.end) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** A box by its path below another one. */
export function boxBelow(view: DataView, box: ContainerBox, ...path: readonly string[]): ContainerBox | undefined {
  let at: ContainerBox | undefined = box;
  for (const name of path) at = at && boxesIn(view, at.from, at.end).find(({ type }) => type === name);
  return at;
}
