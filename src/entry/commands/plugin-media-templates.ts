import { moduleOf, type Template } from './plugin-template.ts';

const prober: Template = {
  suffix: 'Prober',
  module: ({ name }) =>
    moduleOf(
      'Plugin, Prober',
      'Knows pictures in the form farbfeld: put the form that your media has in its place.',
      name,
      `  probers: {
    '${name}.Prober': {
      says: 'Reads the head of pictures in the form farbfeld.',
      create: (): Prober => ({
        name: '${name}',
        accepts: (head) => (new TextDecoder().decode(head.slice(0, 8)) === 'farbfeld' ? 'yes' : 'no'),
        async probe(source) {
          // By the kind the service knows whether another prober may try.
          const fail = (kind: string): never => {
            throw Object.assign(new Error(\`Expected a picture that can be read: \${kind}\`), { kind });
          };
          if (source.size < 16) fail('unsupported');
          const head = await source.read({ from: 0, end: 16 });
          if (this.accepts(head, undefined) === 'no') fail('unsupported');
          const numbers = new DataView(head.buffer, head.byteOffset + 8, 8);
          const [width, height] = [numbers.getUint32(0), numbers.getUint32(4)];
          if (width === 0 || height === 0 || source.size < 16 + width * height * 8) fail('broken');
          return {
            ...{ by: '${name}', format: 'farbfeld', mimeType: 'image/x-farbfeld' },
            tracks: [{ kind: 'video', index: 0, codec: 'farbfeld', width, height, isStill: true }],
            ...{ isPartial: false, bytesRead: 16, warnings: [] },
          };
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Prober',
    // A picture of two pixels.
    media: [{ name: 'a.ff', bytes: new TextEncoder().encode(\`farbfeld\\0\\0\\0\\x02\\0\\0\\0\\x01\${'\\0'.repeat(16)}\`), found: { format: 'farbfeld' } }],
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Prober`],
};

const transcoder: Template = {
  suffix: 'Transcoder',
  module: ({ name }) =>
    moduleOf(
      'Plugin, Transcoder',
      'Copies media as it is, for presets with its format: put the program that makes your forms in its place.',
      name,
      `  transcoders: {
    '${name}.Transcoder': {
      says: 'Copies media as it is, for presets with the format ${name}.',
      create: (): Transcoder => ({
        name: '${name}',
        // A transcoder whose program is missing answers { missing: 'Expected …' }, and jobs wait.
        abilities: async () => ({ version: '1', licence: 'MIT', containers: ['${name}'], video: [], audio: [], stills: [] }),
        unable: async ({ format }) => (format === '${name}' ? undefined : \`format=\${format}\`),
        async run(source, _order, { signal, progress }) {
          const pieces: Uint8Array<ArrayBuffer>[] = [];
          for (let from = 0; from < source.size; from += 65_536) {
            signal.throwIfAborted();
            const end = Math.min(from + 65_536, source.size);
            pieces.push(new Uint8Array(await source.read({ from, end })));
            progress(end / source.size);
          }
          const made = new Blob(pieces);
          return { size: made.size, body: () => made.stream(), close: async () => undefined, warnings: [] };
        },
        async stills() {
          throw new Error('Expected a transcoder that makes pictures');
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Transcoder',
    media: [{ name: 'a.txt', bytes: new TextEncoder().encode('media') }],
    orders: [{ format: '${name}', video: null, audio: null, fastStart: false }],
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Transcoder`],
};

export const mediaTemplates: readonly (readonly [string, Template])[] = [
  ['prober', prober],
  ['transcoder', transcoder],
];
