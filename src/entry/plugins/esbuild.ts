import { createRequire } from 'node:module';

/** The little of esbuild that is used here. It comes with tsx, which uses the same one. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly contents: Uint8Array }[];
    readonly metafile: {
      readonly inputs: Readonly<
        Record<string, { readonly imports?: readonly { readonly path: string; readonly external?: boolean }[] }>
      >;
      readonly outputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>;
    };
  }>;
  transform(text: string, options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

interface EsbuildMessage {
  readonly text: string;
  /** Lines count from 1, columns from 0. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

export function loadEsbuild(): Esbuild {
  const ofTsx = createRequire(createRequire(import.meta.url).resolve('tsx/package.json'));
  return ofTsx('esbuild') as Esbuild;
}

/** Messages of a failed build, whatever form its error has. */
export const messagesOf = (error: unknown): readonly EsbuildMessage[] =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
