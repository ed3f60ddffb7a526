import type { MapNode } from "../domain/map.ts";
import type { MapNodeTree, SourceFile } from "./tree.ts";

/** One file as it was read. */
export interface ReadFile {
  file: SourceFile;
  root: MapNodeTree | null;
  /** The file may declare more than could be understood. */
  suspect: boolean;
}

/**
 * What one configuration gave, for others that are much like it: files of the same text are not read again, and nodes in
 * them are the same objects. Good for one way to treat references, and not where their values may change in between.
 */
export class Reuse {
  readonly #files = new Map<string, ReadFile>();
  readonly #nodes = new WeakMap<MapNodeTree, MapNode>();
  /** Those that the kept nodes were made with. */
  #defaults: MapNodeTree | null | undefined;

  /** The file as it was read before; else as `read` reads it, kept where it is `faultless`. */
  file(file: SourceFile, read: () => { result: ReadFile; faultless: boolean }): ReadFile {
    const known = this.#files.get(file.path);
    if (known && known.file.text === file.text && file.unreadable === undefined) return known;
    const { result, faultless } = read();
    if (faultless) this.#files.set(file.path, result);
    return result;
  }

  /** The node that was made of the same part of a file; else what `make` makes. Other defaults make other nodes. */
  node(body: MapNodeTree, id: string, defaults: MapNodeTree | null, make: () => MapNode): MapNode {
    if (this.#defaults === undefined) this.#defaults = defaults;
    if (this.#defaults !== defaults) return make();
    const known = this.#nodes.get(body);
    // Aliases share a body between ids.
    if (known?.id === id) return known;
    const made = make();
    this.#nodes.set(body, made);
    return made;
  }
}
