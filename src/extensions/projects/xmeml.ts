import { badValue } from '../../core/documents/error.ts';
import { type DocumentLimits, walkXml } from '../../core/documents/index.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import {
  type Asset,
  betweenTurns,
  type Clip,
  type Cut,
  type ImportedProject,
  maxClips,
  maxSequences,
  maxTracks,
  type Time,
} from './imported-project.ts';

/** An element of XML whose form no description says. */
class ProjectNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: ProjectNode[] = [];
  text = '';

  constructor(name: string, attributes: ReadonlyMap<string, string> = new Map()) {
    this.name = name;
    this.attributes = attributes;
  }

  all(name: string): readonly ProjectNode[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first element at the end of a way. */
  at(...way: readonly string[]): ProjectNode | undefined {
    let node: ProjectNode | undefined = this;
    for (const name of way) node = node?.children.find((child) => child.name === name);
    return node;
  }

  /** The text at the end of a way. Undefined: nothing is there. */
  textAt(...way: readonly string[]): string | undefined {
    return this.at(...way)?.text.trim() || undefined;
  }
}

/** Reads a whole document. Others have their turn between its pieces. */
async function readProjectTree(xml: string, limits: DocumentLimits): Promise<ProjectNode> {
  const top = new ProjectNode('');
  const open = [top];
  const walker = {
    open(name: string, attributes: ReadonlyMap<string, string>) {
      const node = new ProjectNode(name, attributes);
      open.at(-1)!.children.push(node);
      open.push(node);
    },
    text(text: string) {
      open.at(-1)!.text += text;
    },
    close() {
      open.pop();
    },
  };
  for (const _ of walkXml(xml, limits, walker)) await yieldTurn();
  return top;
}

/** Without an internal subset it says nothing but the name of the root. */
const plainDoctype = /^(\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?)<!DOCTYPE\s+xmeml\s*>/;

const bad = (place: string, expected: string, found: string | undefined) =>
  badValue(`uri ${place}`, expected, found?.slice(0, 80));

/** Reads the XML of Final Cut Pro 7, which most editing programs write. */
export async function readXmeml(xml: string, limits: DocumentLimits): Promise<ImportedProject> {
  const root = (await readProjectTree(xml.replace(plainDoctype, '$1'), limits)).children[0]!;
  if (root.name !== 'xmeml') throw bad('/', 'XML of Final Cut Pro 7, with the root xmeml', root.name);
  const sequenceNodes = sequencesIn(root);
  if (sequenceNodes.length > maxSequences)
    throw bad('/sequence', `at most ${maxSequences} sequences`, String(sequenceNodes.length));
  const assets = new Map<string, Asset>();
  const sequences: Cut[] = [];
  let [tracks, clips] = [0, 0];
  for (const sequence of sequenceNodes) {
    const defaultBase = defaultBaseOf(sequence);
    const cut: Cut['tracks'][number][] = [];
    for (const { audio, track } of tracksIn(sequence)) {
      if (++tracks > maxTracks) throw bad('/track', `at most ${maxTracks} tracks`, undefined);
      const shown: Clip[] = [];
      for (const clip of track.all('clipitem')) {
        if (++clips > maxClips) throw bad('/clipitem', `at most ${maxClips} clips`, undefined);
        if (clips % betweenTurns === 0) await yieldTurn();
        shown.push(...clipOf(clip, audio ? 'audio' : 'video', defaultBase, assets));
      }
      cut.push({ audio, clips: shown });
    }
    sequences.push({ id: sequence.attributes.get('id'), name: sequence.textAt('name'), tracks: cut });
  }
  return { name: root.textAt('project', 'name'), assets, sequences };
}

const tracksIn = (sequence: ProjectNode) =>
  [false, true].flatMap((audio) =>
    (sequence.at('media', audio ? 'audio' : 'video')?.all('track') ?? []).map((track) => ({ audio, track })),
  );

type DefaultBase = () => Time['timeBase'] | undefined;

/** Read for the first clip, and not again for thousands of others. */
function defaultBaseOf(sequence: ProjectNode): DefaultBase {
  const rate = sequence.at('rate');
  let timeBase: Time['timeBase'] | undefined;
  return () => {
    timeBase ??= rate && baseOf(rate);
    return timeBase;
  };
}

/** Sequences in the file, also in projects and bins. Nested sequences are left out. */
function sequencesIn(node: ProjectNode): readonly ProjectNode[] {
  return node.children.flatMap((child) => {
    if (child.name === 'sequence') return [child];
    return ['project', 'children', 'bin'].includes(child.name) ? sequencesIn(child) : [];
  });
}

/** Clip of a file. Titles and other generated pictures are left out. */
function clipOf(
  clip: ProjectNode,
  kind: 'audio' | 'video',
  defaultBase: DefaultBase,
  assets: Map<string, Asset>,
): readonly Clip[] {
  const file = clip.at('file');
  if (!file) return [];
  const id = file.attributes.get('id') ?? '';
  if (id === '') throw bad('/clipitem/file', 'an attribute id', undefined);
  learn(assets, id, file, clip, kind);
  const rate = clip.at('rate');
  const sequenceBase = defaultBase() ?? baseOf(rate);
  const sourceBase = rate ? baseOf(rate) : sequenceBase;
  if (framesAt(clip, 'end') < framesAt(clip, 'start')) {
    throw bad('/clipitem/end', 'a frame behind that of the element "start"', clip.textAt('end'));
  }
  const at = (name: string, timeBase: Time['timeBase']): Time => ({ samples: framesAt(clip, name), timeBase });
  return [
    {
      asset: id,
      sourceTrack: trackOf(clip),
      in: at('start', sequenceBase),
      out: at('end', sequenceBase),
      sourceIn: at('in', sourceBase),
      sourceOut: at('out', sourceBase),
    },
  ];
}

/** A file is described once; other clips name it by its id. */
function learn(
  assets: Map<string, Asset>,
  id: string,
  file: ProjectNode,
  clip: ProjectNode,
  kind: Asset['type'],
): void {
  const asset = assets.get(id);
  const comment = clip.textAt('comments', 'mastercomment1') ?? asset?.comment;
  const name = file.textAt('name') ?? asset?.name ?? clip.textAt('name') ?? id;
  const type = kind === 'video' || asset?.type === 'video' ? 'video' : 'audio';
  const reel = file.textAt('timecode', 'reel', 'name') ?? asset?.reel;
  assets.set(id, { id, name, type, path: file.textAt('pathurl') ?? asset?.path, comment, reel });
}

function framesAt(clip: ProjectNode, name: string): number {
  const text = clip.textAt(name);
  if (text === '-1') throw bad(`/clipitem/${name}`, 'a sequence without transitions', text);
  if (text !== undefined && /^\d{1,12}$/.test(text)) return Number(text);
  throw bad(`/clipitem/${name}`, 'a number of frames', text);
}

const trackOf = (clip: ProjectNode): number => {
  const text = clip.textAt('sourcetrack', 'trackindex') ?? '1';
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw bad('/clipitem/sourcetrack/trackindex', 'the number of a track', text);
};

/** NTSC: 30 frames are counted while 29.97 pass. */
function baseOf(rate: ProjectNode | undefined): Time['timeBase'] {
  const text = rate?.textAt('timebase');
  if (text === undefined || !/^[1-9]\d{0,3}$/.test(text)) throw bad('/rate/timebase', 'frames a second', text);
  const isNtsc = rate?.textAt('ntsc')?.toUpperCase() === 'TRUE';
  return isNtsc ? { numerator: 1001, denominator: Number(text) * 1000 } : { numerator: 1, denominator: Number(text) };
}
