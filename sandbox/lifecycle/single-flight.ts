// Callers who ask for the same thing at the same time share one attempt, and its failure.

export function singleFlight<T>() {
  const flights = new Map<string, Promise<T>>();

  return function run(key: string, start: () => Promise<T>): Promise<T> {
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = start().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
