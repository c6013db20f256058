# Sourced by the commands here: finds Java and Maven, builds what is out of date.
# Needs $root (the checkout) and $command (for messages).
# shellcheck shell=bash disable=SC2154
target=$root/benchmarks/target

need_tools() {
  java=java
  [[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
  command -v "$java" >/dev/null || {
    echo "$command: no Java found; install Java 17 or set JAVA_HOME" >&2
    exit 2
  }
  command -v mvn >/dev/null || {
    echo "$command: no Maven found; install Maven 3.8 or later" >&2
    exit 2
  }
}

# True when the last build was for this Hadoop and no source is newer.
up_to_date() {
  [[ -s $target/cluster-classpath.txt && $(cat "$target/built-for" 2>/dev/null) == "$1" ]] &&
    compgen -G "$root/shuffle-service/target/mission-control-*.jar" >/dev/null &&
    [[ -z $(find "$root" \( -name target -o -name .git \) -prune -o \
      -path '*/src/main/*' -type f -newer "$target/built-for" -print -o \
      -name pom.xml -newer "$target/built-for" -print | head -n 1) ]]
}

# build VERSION: of Hadoop. One at a time; says what it does on standard error.
build() {
  local profile=() begun=
  case $1 in
    3.5.0) ;;
    3.4.3) profile=(-Phadoop-3.4) ;;
    *)
      echo "$command: --hadoop $1: known are 3.5.0 and 3.4.3" >&2
      exit 2
      ;;
  esac
  mkdir -p "$target"
  if command -v flock >/dev/null; then
    exec 9>"$target/build.lock"
    flock 9
  fi
  if ! up_to_date "$1"; then
    echo "building for Hadoop $1 (the first time, Maven fetches Hadoop) ..." >&2
    begun=$(mktemp "$target/built-for.XXXXXX")
    echo "$1" >"$begun"
    (cd "$root" && mvn -B -q -ntp "${profile[@]}" -DskipTests package -pl benchmarks -am) >&2 || {
      rm -f "$begun"
      echo "$command: the build failed" >&2
      exit 1
    }
    mv "$begun" "$target/built-for"
  fi
  exec 9>&-
}

# run CLASS_PATH CLASS ARGUMENT…: takes the place of the shell.
run() {
  local more=$1
  shift
  exec "$java" -Xmx512m -XX:TieredStopAtLevel="${tier:-4}" -XX:+UseSerialGC \
    --add-opens=java.base/java.lang=ALL-UNNAMED \
    -Djava.net.preferIPv4Stack=true -Dlog4j.configuration=terasort-log4j.properties \
    -cp "$target/classes:$(cat "$target/cluster-classpath.txt")$more" "$@"
}
