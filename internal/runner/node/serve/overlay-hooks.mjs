// The part of overlay.cjs that runs where Node loads modules of ES.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let where = new Map();

export function initialize(files) {
  where = new Map(Object.entries(files));
}

export async function load(address, context, next) {
  const loaded = await next(address, context);
  const to = address.startsWith('file:') && where.get(fileURLToPath(address.split(/[?#]/)[0]));
  return to && loaded.source != null ? { ...loaded, source: await readFile(to, 'utf8') } : loaded;
}
