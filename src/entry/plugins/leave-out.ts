import { fileURLToPath } from 'node:url';
import { programPath } from '../program-path.ts';

interface Setup {
  onLoad(
    options: { readonly filter: RegExp },
    load: (file: { readonly path: string }) => { readonly contents: string; readonly loader: 'js' } | undefined,
  ): void;
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** Plugin of esbuild that puts a room without content in the place of each of these extensions. */
export function leaveOut(extensions: readonly string[]) {
  const contents = new Map(
    extensions.map((name) => [
      fileURLToPath(programPath(`extensions/${name}/room`)),
      `export const ${camelCase(name)} = ${JSON.stringify({ name, isLeftOut: true })};\n`,
    ]),
  );
  return {
    name: 'leave-out',
    setup: ({ onLoad }: Setup) =>
      onLoad({ filter: /[\\/]room\.[jt]s$/ }, ({ path }) => {
        const room = contents.get(path);
        return room === undefined ? undefined : { contents: room, loader: 'js' };
      }),
  };
}
