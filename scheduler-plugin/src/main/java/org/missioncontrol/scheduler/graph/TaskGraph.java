/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tasks and the references between them: each task makes references and depends on some that other
 * tasks make or that are there from the beginning (inputs). Any directed acyclic graph; whether it
 * is one, the classifier finds out. Immutable.
 */
public final class TaskGraph {
  // Nodes are tasks and inputs; an input is a node that makes one reference and reads none.
  private final String[] operations;
  private final int[] makers;
  private final int[][] reads;

  private TaskGraph(Builder builder) {
    operations = builder.operations.toArray(String[]::new);
    makers = builder.makers.toArray();
    reads = new int[operations.length][];
    for (int node = 0; node < reads.length; node++) {
      int[] sorted = builder.reads.get(node).toArray();
      Arrays.sort(sorted);
      reads[node] = Arrays.stream(sorted).distinct().toArray();
    }
  }

  /** A task, in the builder that made it. Immutable. */
  public record Task(int node) {}

  /** A reference, in the builder that made it. Immutable. */
  public record Reference(int number) {}

  public static Builder builder() {
    return new Builder();
  }

  /** Tasks and inputs. */
  int nodes() {
    return operations.length;
  }

  int references() {
    return makers.length;
  }

  String operation(int node) {
    return operations[node];
  }

  /** The node that makes a reference. */
  int maker(int reference) {
    return makers[reference];
  }

  /** References that a node depends on, each once; not to be changed. */
  int[] reads(int node) {
    return reads[node];
  }

  /** Collects a graph in any order. Owned by one thread. */
  public static final class Builder {
    private final List<String> operations = new ArrayList<>();
    private final List<Ints> reads = new ArrayList<>();
    private final Ints makers = new Ints();

    private Builder() {}

    /** A task; tasks of the same operation may form a stage. */
    public Task task(String operation) {
      return new Task(node(operation));
    }

    /** A reference that is there before any task runs; those of a collection belong together. */
    public Reference input(String collection) {
      return reference(node(collection));
    }

    /** A further reference that the task makes. */
    public Reference output(Task task) {
      check("task", task.node(), operations.size());
      return reference(task.node());
    }

    /** The task reads the reference; to say it again changes nothing. */
    public Builder depends(Task task, Reference reference) {
      check("task", task.node(), operations.size());
      check("reference", reference.number(), makers.size());
      reads.get(task.node()).add(reference.number());
      return this;
    }

    public TaskGraph build() {
      return new TaskGraph(this);
    }

    private int node(String operation) {
      operations.add(operation);
      reads.add(new Ints());
      return operations.size() - 1;
    }

    private Reference reference(int maker) {
      makers.add(maker);
      return new Reference(makers.size() - 1);
    }

    private static void check(String what, int number, int known) {
      if (number < 0 || number >= known) {
        throw new IllegalArgumentException(what + " of another graph: " + number);
      }
    }
  }
}
