// Finds what an import means, seen from a file. Needs --experimental-import-meta-resolve.
export const from = (request, parent) => import.meta.resolve(request, parent);
