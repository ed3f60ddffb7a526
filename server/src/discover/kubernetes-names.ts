/** A name as manifests give it, and the namespace that it is good in; empty where none is said. */
export interface Owned {
  name: string;
  namespace: string;
}

/**
 * What names of workloads and Services mean. A name that two namespaces have is two nodes, each known with its namespace as
 * in the cluster's own host names: `redis.billing`. Where no namespace is said, the name stays bare.
 */
export class Namespaces {
  readonly #owners = new Map<string, Set<string>>();
  readonly #known = new Set<string>();

  constructor(owned: Iterable<Owned>) {
    for (const { name, namespace } of owned) {
      this.#known.add(name);
      if (namespace === "") continue;
      const owners = this.#owners.get(name);
      if (owners) owners.add(namespace);
      else this.#owners.set(name, new Set([namespace]));
    }
  }

  /** The name under which something of this name in this namespace is known. */
  nameOf(name: string, namespace: string): string {
    return this.#isShared(name, namespace) ? `${name}.${namespace}` : name;
  }

  /** Whom a host means when somebody in `namespace` asks it: without one of its own, somebody in the same namespace. */
  hostFrom(namespace: string, host: string): string {
    const asked = this.#withoutPod(host);
    const [name = "", there = namespace, ...rest] = asked.split(".");
    const inside = rest.length === 0 || rest[0] === "svc";
    return inside && this.#isShared(name, there) ? `${name}.${there}` : asked;
  }

  /**
   * `kafka-0.kafka.shop` is one pod behind the Service `kafka.shop`, as stateful sets name theirs. Where nobody shows that
   * Service, the whole name tells: `kafka-0.kafka.shop.svc`.
   */
  #withoutPod(host: string): string {
    const [pod = "", service = "", , fourth] = host.split(".");
    const behind = fourth === "svc" || (this.#known.has(service) && !this.#known.has(pod));
    return /-\d+$/.test(pod) && behind ? host.slice(pod.length + 1) : host;
  }

  #isShared(name: string, namespace: string): boolean {
    const owners = this.#owners.get(name);
    return owners !== undefined && owners.size > 1 && owners.has(namespace);
  }
}
