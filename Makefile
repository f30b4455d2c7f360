# knng  Builds, tests and measures. `make help` lists the targets and variables.
#
# core/ becomes one static library, $(B)/libknng.a. Every gateway mex/NAME.c is linked with it into
# +knng/+internal/NAME.mex, cli/ into $(B)/knng, and with mpi/ into $(B)/knng-mpi. A new source file needs no line here.

MAKEFLAGS += --no-builtin-rules
B     := build
INNER := +knng/+internal

# ---- what there is to build ------------------------------------------------------------------------------------------
SOURCES := $(wildcard core/*/*.c core/*/*/*.c)# a part of them, where that is all that is to be linked
LOOPS := $(filter core/search/cpu/kernels.c core/topk/keys.c core/rows/centres.c core/graph/pushes.c,$(SOURCES))
CORE  := $(filter-out $(LOOPS),$(SOURCES))
MEXAIDS := $(patsubst mex/%.h,%,$(wildcard mex/*.h))# no gateways: parts of all of them
GATES := $(filter-out $(MEXAIDS),$(patsubst mex/%.c,%,$(wildcard mex/*.c)))
MPI   := $(wildcard mpi/*.c)
PROGRAMS := cli/knng.c cli/knng_mpi.c# each has its main
CLI   := $(filter-out $(PROGRAMS),$(wildcard cli/*.c))
CUDA  := $(wildcard cuda/*.cu cuda/*/*.cu)
TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test_*.c tests/runs/test_*.c))
FUZZ  := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/fuzz_*.c))
AIDS  := $(B)/tests/oracle.o
CSRC  := $(wildcard $(foreach d,core core/* core/*/* mex cli mpi cuda cuda/* tests tests/* tools tools/mex-only tools/scale,$d/*.c $d/*.h $d/*.cu))

# LOOPS are compiled once for each of these instruction sets. Which one runs is chosen at run time. Without the last flag
# gcc's -O1, which sanitizers have, leaves the upper halves of registers in use, and all other code is several times slower.
TARGETS      := plain
FLAGS_avx512 := -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -fexpensive-optimizations
FLAGS_avx2   := -mavx2 -mfma -fexpensive-optimizations
FLAGS_plain  :=
# With a sanitizer: a multiplication and addition in one is the same number whether this machine or the library makes it,
# but here much sooner. Lanes are elements of local arrays, by constant indices; four checks of each of them take most of
# the compiler's time, and to optimize the code of the others more than -Og does takes most of the rest, and makes it no
# faster. The other instruction sets, of the same source, have these checks, and the address sanitizer still sees every
# access. Without one, gcc walks along stores to these arrays for most of the time that it takes.
WALKS := $(shell $(CC) -Werror --param sccvn-max-alias-queries-per-access=8 -E -x c /dev/null >/dev/null 2>&1 && \
	echo --param sccvn-max-alias-queries-per-access=8)
# Registers of a function as a whole, and by priority, take gcc two thirds of the time of its kernels otherwise.
REGION := $(if $(SANITIZE),$(shell $(CC) -Werror -fira-region=one -fira-algorithm=priority -E -x c /dev/null >/dev/null 2>&1 && \
	echo -fira-region=one -fira-algorithm=priority))
AFTER_plain = $(if $(SANITIZE),-Og $(if $(FUSES),-mfma -fexpensive-optimizations) $(REGION) \
	-fno-sanitize=null$(comma)pointer-overflow$(comma)object-size$(comma)bounds,$(WALKS))
AFTER_avx2 = $(REGION)
# What this machine cannot run is only linked there.
AFTER_avx512 = $(if $(SANITIZE),$(if $(RUNS_avx512),$(REGION),-fno-sanitize=all -O0))
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),)
TARGETS      := avx512 avx2 plain
endif
RUNS_avx512 := $(shell grep -qw avx512vl /proc/cpuinfo 2>/dev/null && echo yes)
FUSES := $(if $(filter avx2,$(TARGETS)),$(shell grep -w fma /proc/cpuinfo 2>/dev/null | grep -qw avx2 && echo yes))

# ---- flags -----------------------------------------------------------------------------------------------------------
# CFLAGS come after -O2 (-O3 for the kernels) and before the flags that the bits of the answer depend on.
# A warning is an error with the compiler that the project is written with, and not where another one has new ones, or
# where CFLAGS, or those of the package's maker, let gcc look in another way: -O1 warns where -O2 sees that all is well.
COMPILER := $(shell $(CC) -dumpversion 2>/dev/null)
WERROR ?= $(if $(CFLAGS),,$(if $(filter 12 12.%,$(COMPILER)),-Werror))
BLAS_CFLAGS ?= $(shell pkg-config --cflags openblas 2>/dev/null)
BLAS_LIBS   ?= $(or $(shell pkg-config --libs openblas 2>/dev/null),-lopenblas)
ALWAYS := -std=c11 -D_GNU_SOURCE -I. -Icore -Itests -Wall -Wextra $(WERROR)
EXACT  := -fPIC -fexceptions -pthread -fopenmp-simd -fno-fast-math -fno-math-errno -ffp-contract=off
LIBS    = $(BLAS_LIBS) $(HDF5_LIBS) -lz -lm -ldl
compile = $(CC) $(ALWAYS) -fvisibility=hidden -O2 $1 $(BLAS_CFLAGS) $(HDF5_USE) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(ABI) $(EXACT)

NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCH ?= 80 90
CUDA_SPEED ?= -O3
NVFLAGS = -std=c++17 $(CUDA_SPEED) -fmad=false -I. -Icore $(if $(WERROR),-Werror all-warnings -Xcompiler $(WERROR)) \
          -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra,-ffp-contract=off
comma := ,
GENCODE = $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$a,code=sm_$a) \
          -gencode arch=compute_$(lastword $(CUDA_ARCH)),code=compute_$(lastword $(CUDA_ARCH))

# HDF5 has to be the library that Octave itself is linked with, so the one that is not for MPI; Debian calls that
# hdf5-serial, and hdf5 may be the other one. Its functions are those of 1.10 in every newer version.
ifeq ($(origin HDF5_LIBS),undefined)
serial     := '\#include <hdf5.h>\n\#ifdef H5_HAVE_PARALLEL\n\#error\n\#endif\n'
HDF5_NAME  := $(shell for n in hdf5-serial hdf5; do pkg-config --exists "$$n >= 1.10.5" 2>/dev/null && \
	printf $(serial) | $(CC) $$(pkg-config --cflags $$n) -E -o /dev/null - 2>/dev/null && echo $$n && break; done)
HDF5_CFLAGS := $(or $(HDF5_CFLAGS),$(if $(HDF5_NAME),$(shell pkg-config --cflags $(HDF5_NAME))))
HDF5_LIBS  := $(if $(HDF5_NAME),$(shell pkg-config --libs $(HDF5_NAME)))
endif
HDF5_USE    = $(if $(strip $(HDF5_LIBS)),-DKNNG_HDF5 -DH5_USE_110_API $(patsubst -I%,-isystem %,$(HDF5_CFLAGS)))

# igraph is under the GPL, and so is the gateway that is linked to it. It is built where igraph is, and is in no package.
IGRAPH_CFLAGS ?= $(shell pkg-config --cflags igraph 2>/dev/null)
IGRAPH_LIBS   ?= $(shell pkg-config --libs 'igraph >= 0.10' 'igraph < 2' 2>/dev/null)
ifeq ($(strip $(IGRAPH_LIBS)),)
GATES := $(filter-out igraph,$(GATES))
IGRAPH_OTHER := $(shell pkg-config --modversion igraph 2>/dev/null)
endif

# MPI, for knng-mpi alone. On Debian mpicc comes without mpi.h, with the libraries of others.
ifeq ($(origin MPICC),undefined)
MPICC := $(shell command -v mpicc)
MPICC := $(if $(MPICC),$(shell OMPI_CC='$(CC)' MPICH_CC='$(CC)' mpicc -include mpi.h -E -x c /dev/null >/dev/null 2>&1 && echo $(MPICC)))
endif

MKOCTFILE ?= $(shell command -v mkoctfile)
# Blanks in TMPDIR break the makefile that gcc makes for -flto=auto of Debian 13's flags, and Octave 11's mkoctfile.
mkoct      = $(if $(word 2,$(TMPDIR)),TMPDIR=/tmp) $(MKOCTFILE)
# A gateway is never unloaded: its threads may still look for work when Octave ends.
STAYS     := -Wl,-z,nodelete
mkmex      = CXX='$(CC) -pthread $(if $(SANITIZE),$(SANITIZE) $(LINKER))' $(mkoct) --mex $(STAYS)
OCTAVE    := octave-cli --norc -H -q
# mexFunction has to be visible. Octave's headers are system headers, so that they give no warnings.
MEXFLAGS   = -fvisibility=default $(patsubst -I%,-isystem %,$(shell $(MKOCTFILE) -p INCFLAGS))

Q := $(if $(V),,@)

# ---- what make builds --------------------------------------------------------------------------------------------------
all: ## build what this machine can: gateways, command-line program, CUDA plugin
.DEFAULT_GOAL := all

ifneq ($(MATLAB),)
MEXEXT := $(shell $(MATLAB)/bin/mexext)
all: $(GATES:%=$(INNER)/%.$(MEXEXT))
else ifneq ($(MKOCTFILE),)
all: gateways
else
all: ; @echo "knng: no mkoctfile found (Debian: octave-dev): building without the Octave gateways"
endif
all: $(B)/libknng.a $(if $(wildcard cli/knng.c),$(B)/knng)
ifeq ($(filter igraph,$(GATES)),)
all: no-igraph
endif
ifneq ($(wildcard cli/knng_mpi.c),) # the package has none
all: $(if $(MPICC),$(B)/knng-mpi,no-mpi)
endif
no-mpi:
	@echo "knng: no mpicc that has mpi.h found (Debian: libopenmpi-dev): building without knng-mpi"; rm -f $(B)/knng-mpi
no-igraph:
	@echo "knng: no igraph 0.10 or 1 found ($(IGRAPH_OTHER:%=pkg-config has %; )Debian: libigraph-dev, pkg-config):" \
		"building without knng.leiden and layouts"
	@rm -f $(INNER)/igraph.mex*

ifeq ($(strip $(HDF5_LIBS)),)
all: no-hdf5
endif
no-hdf5:
	@echo "knng: no HDF5 from 1.10 on, without MPI, found (Debian: libhdf5-dev, pkg-config): building without its files"

# PLUGIN= builds no CUDA plugin where there is none; one that is there is kept as new as its sources.
PLUGIN := yes
ifneq ($(CUDA),)
ifneq ($(NVCC),)
all: $(if $(or $(PLUGIN),$(wildcard $(INNER)/knng_cuda.so)),cuda,no-plugin)
else
all: no-nvcc
endif
endif
has-nvcc: ; @test -n '$(NVCC)'
no-plugin:
	@echo "knng: without the CUDA plugin: make builds it, and make cuda"
no-nvcc:
	@echo "knng: no nvcc found: building for the CPU only"; rm -f $(INNER)/knng_cuda.so

# Everything is rebuilt when the compiler, the flags or the list of sources change. Without strip GNU make 4.3 leaves the
# newline at the end of what it reads, if its buffer has to grow for that.
was = $(strip $(file <$(B)/$1))
STAMP := $(strip $(call compile,) $(LDFLAGS) $(LIBS) $(TARGETS) $(CORE))
FORMER := $(call was,stamp-cc)
# What only reads what is built may be made by those who may not write here.
ifneq ($(filter-out help $(if $(wildcard $(INNER)/search.* $(B)/knng),install uninstall),$(or $(MAKECMDGOALS),all)),)
$(shell mkdir -p $(B))
ifneq ($(call was,stamp)|$(FORMER),$(STAMP)|$(COMPILER))
ifeq ($(shell touch $(B)/stamp-cc 2>/dev/null && [ -w $(B) ] && echo yes),)
$(error knng: this user may not write $(B) here: build in a copy of your own (git clone), or, if all this is yours, as root: \
	chown -R $(shell id -un) $(B) $(INNER))
endif
ifneq ($(call was,stamp)|$(or $(FORMER),$(COMPILER)),$(STAMP)|$(COMPILER))
$(file >$(B)/stamp,$(STAMP))
endif
$(file >$(B)/stamp-cc,$(COMPILER))
endif
endif

# Nothing is compiled before tools/needs.sh has found everything. TMPDIR, where pkg builds, may be mounted noexec: sh reads
# the scripts that the package has.
$(B)/needs: $(B)/stamp tools/needs.sh
	@sh tools/needs.sh && touch $@
$(B)/needs: export COMPILE = $(call compile,)
$(B)/needs: export LINK = $(LDFLAGS)
$(B)/needs: export BLAS = $(BLAS_LIBS)

CUDA_STAMP := $(strip $(NVCC) $(NVFLAGS) $(GENCODE) $(CUDA))
ifeq ($(shell [ -w $(B) ] && echo yes),yes)
ifneq ($(call was,stamp-mpi),$(strip $(MPICC)))
$(file >$(B)/stamp-mpi,$(MPICC))
endif
ifneq ($(call was,stamp-cuda),$(CUDA_STAMP))
$(file >$(B)/stamp-cuda,$(CUDA_STAMP))
endif
endif

# Core and plugin are built separately, and know by a number whether they fit.
SHARED := $(wildcard core/base/*.h core/search/*.h core/topk/*.h core/graph/*.h)
ENDS   := $(B)/core/base/plugin.o $(B)/cuda/plugin.o $(B)/tests/fakes/plugin.o
$(ENDS): $(SHARED)
$(ENDS): ABI = -DKNNG_ABI=$(shell sh tools/abi.sh)

$(B)/%.o: %.c $(B)/needs
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(call compile,$(LESS)) -MMD -MP -c -o $@ $<

define LOOP
$(B)/$(1:%.c=%)-%.o: $1 $(B)/needs
	@mkdir -p $$(@D)
	@echo "  CC    $$< ($$*)"
	$(Q)$$(call compile,-O3 -DKNNG_TARGET=$$* $$(FLAGS_$$*)) $$(AFTER_$$*) -MMD -MP -c -o $$@ $$<
endef
$(foreach f,$(LOOPS),$(eval $(call LOOP,$f)))

$(B)/mex/%.o: mex/%.c $(B)/needs
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(call compile,) $(MEXFLAGS) -MMD -MP -c -o $@ $<

IGRAPH_SYSTEM := $(patsubst -I%,-isystem %,$(IGRAPH_CFLAGS))
$(B)/mex/igraph.o: MEXFLAGS += $(IGRAPH_SYSTEM)
$(INNER)/igraph.mex $(INNER)/igraph.$(MEXEXT): LIBS += $(IGRAPH_LIBS)

# What takes longest to compile comes first, so that no core waits for it at the end.
$(B)/libknng.a: $(foreach f,$(LOOPS),$(patsubst %,$(B)/$(f:%.c=%)-%.o,plain $(filter-out plain,$(TARGETS)))) $(CORE:%.c=$(B)/%.o)
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Linked elsewhere and then moved, so that an Octave that runs the old one keeps it.
$(INNER)/%.mex: $(B)/mex/%.o $(MEXAIDS:%=$(B)/mex/%.o) $(B)/libknng.a
	@echo "  MEX   $@"
	$(Q)$(mkmex) -o $(B)/mex/$*.mex $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
	$(Q)mkdir -p $(@D) && mv -f $(B)/mex/$*.mex $@

# The only C++ file, for Octave's own interface; its head says why.
$(B)/mex/allocate.o: mex/allocate.cc $(B)/needs
	@mkdir -p $(@D)
	@echo "  CXX   $<"
	$(Q)$(mkoct) -Wall $(WERROR) -c -o $@ $<

$(INNER)/allocate.oct: $(B)/mex/allocate.o
	@echo "  OCT   $@"
	$(Q)$(mkoct) -s -o $(B)/mex/allocate.oct $<
	$(Q)mkdir -p $(@D) && mv -f $(B)/mex/allocate.oct $@

gateways: $(GATES:%=$(INNER)/%.mex) $(INNER)/allocate.oct

# MATLAB's own compiler driver; -R2018a is its interleaved complex API, in which mxGetPr and mxGetDoubles both work.
$(INNER)/%.$(MEXEXT): mex/%.c $(MEXAIDS:%=mex/%.c) $(B)/libknng.a $(wildcard mex/*.h)
	$(MATLAB)/bin/mex -R2018a -output $@ -I. -Icore \
		CFLAGS='$$CFLAGS $(filter-out -Wall -Wextra $(WERROR),$(ALWAYS)) $(EXACT)' $(if $(filter %/igraph.c,$<),$(IGRAPH_CFLAGS)) \
		LDFLAGS='$$LDFLAGS $(STAYS)' $(filter %.c %.a,$^) $(LIBS) -lpthread

# Linked under another name and then moved, so that whoever starts it meanwhile gets the old one or the new one.
link = $1 $(SANITIZE) -pthread $(LDFLAGS) -o $@.new $^ $(LIBS) && mv -f $@.new $@

# Test programs are many, and gold links them in a third of the time. What is installed is linked by the usual linker.
LINKER = $(eval LINKER := $(shell echo 'int main(void) { return 0; }' | $(CC) -fuse-ld=gold -Wl,--wrap=main_of -x c -o /dev/null - >/dev/null 2>&1 && \
	echo -fuse-ld=gold))$(LINKER)

$(B)/knng: $(B)/cli/knng.o $(CLI:%.c=$(B)/%.o) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(CC))

# MPI's own compiler driver, around ours; only one file includes mpi.h. CC may come from the command line.
mpicc := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
$(B)/mpi/post.o: private override CC := $(mpicc)
$(B)/mpi/post.o: mpi/post.c $(B)/needs $(B)/stamp-mpi
	@mkdir -p $(@D)
	@echo "  MPICC $<"
	$(Q)$(call compile,) -MMD -MP -c -o $@ $<

$(B)/knng-mpi: $(B)/cli/knng_mpi.o $(CLI:%.c=$(B)/%.o) $(MPI:%.c=$(B)/%.o) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(mpicc))

cuda: $(if $(CUDA),$(INNER)/knng_cuda.so) ## the CUDA plugin alone, +knng/+internal/knng_cuda.so

$(B)/cuda/%.o: cuda/%.cu $(B)/stamp-cuda
	@mkdir -p $(@D)
	@echo "  NVCC  $<"
	$(Q)$(NVCC) $(NVFLAGS) $(GENCODE) $(ABI) -MMD -MP -c -o $@ $< || { \
		echo "knng: nvcc failed; make NVCC= builds for the CPU alone (before pkg install: setenv ('NVCC', ''))"; exit 1; }

# wgmma is of compute capability 9.0 alone, not of what follows, and of nvcc from 12.0 on, whose lists do not name it. The
# assembler says what keeps it from being quick only where it makes quick code.
CUDA_FUSED ?= $(filter 90 90a,$(CUDA_ARCH))
FUSED = $(and $(NVCC),$(CUDA_FUSED),$(shell $(NVCC) --dryrun -arch=sm_90a -c -x cu /dev/null >/dev/null 2>&1 && echo yes))
$(B)/cuda/search/fused.o $(B)/cuda/search/fused_long.o: CUDA_SPEED := -O3
$(B)/cuda/search/fused.o $(B)/cuda/search/fused_long.o: GENCODE := $(if $(FUSED),-DKNNG_FUSED -gencode arch=compute_90a$(comma)code=sm_90a,$(GENCODE))

$(INNER)/knng_cuda.so: $(CUDA:%.cu=$(B)/%.o)
	@echo "  NVCC  $@"
	$(Q)$(NVCC) -shared -o $(B)/cuda/plugin.so $^ -lcublas -Xlinker -z,nodelete -Xlinker -rpath=$(abspath $(dir $(NVCC))/../lib64)
	$(Q)mkdir -p $(@D) && mv -f $(B)/cuda/plugin.so $@

demo: ## install what is missing, build, run three examples
	+@MAKE='$(MAKE)' tools/demo.sh

# ---- checks ----------------------------------------------------------------------------------------------------------
check: ## install what is missing, build, run every test; the last line has the totals
	@tools/install-deps.sh check
	+@tools/run-tests.sh build octave mpi emulated c asan gateways tsan runner mexapi

check-c check-asan check-gateways check-tsan check-octave check-emulated check-mpi: check-%:
	+@tools/run-tests.sh $*
check-c: ## the C tests
check-asan: ## the C tests under the address and undefined-behaviour sanitizers
check-gateways: ## the gateways under the same, in Octave; planted faults have to be found
check-tsan: ## runs on several threads under the thread sanitizer; a planted race has to be found
check-octave: ## the tests that run in Octave: case table, arguments, Ctrl-C, %! blocks, sample
check-emulated: ## the CUDA backend on GPUs that the CPU plays; a planted race has to be found
check-mpi: ## knng-mpi by several processes: searches, errors, kills; planted faults have to be found

check-deep: ## the long forms of the tests, hours; KNNG_DEEP="PART ..." for some; writes build/deep.txt
	@tools/install-deps.sh check
	+@tools/check-deep.sh

check-mexapi: ## compile the gateways against the documented MEX API alone
	@for f in $(GATES:%=mex/%.c) $(MEXAIDS:%=mex/%.c); do $(call compile,) $(IGRAPH_SYSTEM) -Itools/mex-only \
		-Werror=implicit-function-declaration -fsyntax-only $$f || exit 1; done

check-gpu: all oracle ## the tests that need a GPU, under Octave; writes tests/gpu/report.txt
	NVCC='$(NVCC)' tests/gpu/check.sh

bench-gpu: all $(B)/bench_select ## time and verify the GPU workloads (KNNG_BENCH_ONLY, _GPUS, _SECONDS, _VERIFY); writes build/bench_gpu.txt
	$(OCTAVE) bench/bench_gpu.m
	$(B)/bench_select | tee -a $(B)/bench_gpu.txt

$(B)/bench_select: bench/select.cu $(B)/cuda/topk/select.o
	@echo "  NVCC  $<"
	$(Q)$(NVCC) $(NVFLAGS) $(GENCODE) -o $@ $^

# The oracle takes most of the time of many tests: it is compiled for speed, and without a sanitizer, which test_oracle has
# it with. Of ranks -O2 takes several times as long. All of AVX2, since gcc's code for -mfma alone changes between two sorts
# of instructions at every call, which takes long.
$(AIDS): private override SANITIZE :=
$(AIDS): $(B)/%.o: %.c $(B)/needs
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(call compile,-O3 $(if $(FUSES),$(FLAGS_avx2))) -MMD -MP -c -o $@ $<

# The tests themselves are compiled once for each time that they run: -Og takes gcc half the time of -O1, and a third of
# that of -O2. These compute so much on their own that it would be lost again.
$(B)/tests/unit/%.o $(B)/tests/runs/%.o: private LESS := -Og
$(patsubst %,$(B)/tests/unit/test_%.o,bounds kmeans kmedoids select tsne) $(B)/tests/mpi/%.o: private LESS := -O1

ctests: $(TESTS) $(FUZZ)
ORACLETEST := $(B)/tests/unit/test_oracle
$(filter-out $(ORACLETEST),$(TESTS)) $(FUZZ): $(B)/%: $(B)/%.o $(AIDS) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(CC) $(LINKER))
$(ORACLETEST): tests/oracle.c $(ORACLETEST).o $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call compile,) $(LINKER) $(LDFLAGS) -o $@ $^ $(LIBS)

# Of knng-mpi: what needs no MPI, and what runs under mpirun.
MPITESTS := $(B)/tests/mpi/test_schedule $(B)/tests/mpi/test_model $(B)/tools/scale_model $(if $(MPICC),$(B)/tests/mpi/test_ranks)
mpitests: $(MPITESTS)
$(B)/tests/mpi/test_schedule: $(B)/tests/mpi/test_schedule.o $(B)/mpi/schedule.o $(B)/mpi/found.o $(B)/mpi/share.o $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(CC) $(LINKER))
$(B)/tests/mpi/test_ranks: $(B)/tests/mpi/test_ranks.o $(MPI:%.c=$(B)/%.o) $(AIDS) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(mpicc) $(LINKER))

# A simulation of knng-mpi, and its test; neither needs MPI.
MODEL := $(patsubst %.c,$(B)/%.o,$(wildcard tools/scale/*.c)) $(B)/mpi/schedule.o
$(B)/tools/scale_model: $(B)/tools/scale_model.o $(MODEL) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(CC) $(LINKER))
$(B)/tests/mpi/test_model: $(B)/tests/mpi/test_model.o $(MODEL) $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call link,$(CC) $(LINKER))

# The same with a fault, which cluster.c has at KNNG_PLANT_…: radii that are those of other rows; a checkpoint that says
# what is not so yet; what visitors have found, thrown away, or not put into the file of lists.
# They are compiled as quickly as can be; of their warnings the sources as they are tell.
FAULTY := -O0 -w -DKNNG_PLANT_
MPIFAULTS := ELSEWHERE EARLY LOSS FORGET
MPIPLANTED := $(if $(MPICC),$(MPIFAULTS:%=$(B)/tests/mpi/test_ranks_%))
mpiplanted: $(MPIPLANTED)
$(MPIPLANTED): private override CC := $(mpicc)
$(MPIPLANTED): $(B)/tests/mpi/test_ranks_%: mpi/cluster.c $(B)/tests/mpi/test_ranks.o $(filter-out %/cluster.o,$(MPI:%.c=$(B)/%.o)) $(AIDS) \
		$(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call compile,$(FAULTY)$*) $(LINKER) $(LDFLAGS) -o $@ $^ $(LIBS)

# The same with a fault, which sources have at KNNG_PLANT_…. $1: the test; $2: what is behind its name; $3: the sources that
# may have it, of which those are compiled that do, or all where a header does; $4: the fault.
FAULTS := $(shell grep -row 'KNNG_PLANT_[A-Z]*' core)
having = $(if $(filter %.h:KNNG_PLANT_$2,$(FAULTS)),$1,$(or $(foreach f,$1,$(if $(filter $f:KNNG_PLANT_$2,$(FAULTS)),$f)),$1))
define planted
$(B)/tests/runs/$1_$2: $(call having,$3,$4) $(B)/tests/runs/$1.o $(AIDS) $(B)/libknng.a
	@echo "  LINK  $$@"
	$$(Q)$$(call compile,$$(FAULTY)$4) $$(LINKER) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
endef

# The lists of the CPU backend without their locks.
$(eval $(call planted,test_runs,planted,core/search/cpu/lists.c,RACE))

# Neighbours that stay in a list twice; a row that looks as far as another one; lists that went to their file, and are
# taken for empty ones; copies of rows that stay where the next ones are made otherwise.
$(eval $(call planted,test_blocks,planted,core/blocks/neighbours.c,TWICE))
$(eval $(call planted,test_blocks,elsewhere,core/blocks/meeting.c,ELSEWHERE))
$(eval $(call planted,test_blocks,forgets,core/blocks/shelf.c,FORGET))
$(eval $(call planted,test_blocks,stale,core/search/cpu/copies.c,STALE))

# It stops searches while they merge. Blocks count as met before their lists are merged.
$(B)/tests/runs/test_checkpoint $(B)/tests/runs/test_checkpoint_planted: LIBS += -Wl,--wrap=knng_neighbours_merge
$(eval $(call planted,test_checkpoint,planted,core/blocks/blocks.c,EARLY))

# It stops searches at any look for Ctrl-C, and has a clock of its own. A box without a row of its leaf; a limit that is
# another query's; a limit that leaves out what is just as far; one without room for roundings. Copies that count as
# exact; rows that all are at their centre; copies around another centre; sums that count as exact.
BOXFAULTS := BOX NEAR TIE SLACK COPY LENGTH CENTRE SUM
$(B)/tests/runs/test_boxes $(BOXFAULTS:%=$(B)/tests/runs/test_boxes_%): LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_seconds
$(foreach fault,$(BOXFAULTS),$(eval $(call planted,test_boxes,$(fault),core/search/cpu/boxes.c,$(fault))))

# It stops trees likewise. Rows of several parts that count as those of one; the limit of another part; limits that leave
# out what is just as far; of edges of equal length whichever comes first; one without a row of its leaf.
SPANFAULTS := LABEL PART TIE ORDER BOX
$(B)/tests/runs/test_spanning $(SPANFAULTS:%=$(B)/tests/runs/test_spanning_%): LIBS += -Wl,--wrap=knng_task_poll
SPANSOURCES := core/rows/outside.c core/rows/spanning.c core/search/cpu/boxes.c
$(foreach fault,$(SPANFAULTS),$(eval $(call planted,test_spanning,$(fault),$(SPANSOURCES),$(fault))))

# It stops orders likewise, at the looks of their own loop, too. Limits that are too near; a node that is told of one of its
# rows; of rows as near whichever lies first in the tree.
OPTICSFAULTS := LIMIT FAR TIE
$(B)/tests/runs/test_optics $(OPTICSFAULTS:%=$(B)/tests/runs/test_optics_%): LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_task_step
$(foreach fault,$(OPTICSFAULTS),$(eval $(call planted,test_optics,$(fault),core/rows/optics.c,$(fault))))

# It does so too. What is at the radius is left out; a box, and limits, as above; a score's bound with the wrong sign.
RANGEFAULTS := RADIUS BOX TIE SLACK BOUND
$(B)/tests/runs/test_range $(RANGEFAULTS:%=$(B)/tests/runs/test_range_%): LIBS += -Wl,--wrap=knng_task_poll
RANGESOURCES := core/search/cpu/boxes.c core/search/cpu/tiles.c core/search/cpu/lists.c
$(foreach fault,$(RANGEFAULTS),$(eval $(call planted,test_range,$(fault),$(RANGESOURCES),$(fault))))

# And so. Bounds of short rows with the wrong sign.
$(B)/tests/runs/test_components $(B)/tests/runs/test_components_planted: LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_components_copy
$(eval $(call planted,test_components,planted,core/search/cpu/components.c,COMPONENTS))

# It stops searches at any such look, and while copies are made. Copies of references that stay where those of the queries
# are made otherwise.
$(B)/tests/runs/test_searcher $(B)/tests/runs/test_searcher_stale: LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_kernels_find
$(eval $(call planted,test_searcher,stale,core/search/cpu/copies.c,STALE))

# It does so too. Of rows that are as far those that were searched later come first.
$(B)/tests/runs/test_queries $(B)/tests/runs/test_queries_planted: LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_run
$(eval $(call planted,test_queries,planted,core/blocks/queries.c,LATER))

# It does so too. Columns count that one of the rows lacks; differences that stand for no more than there are; bounds
# without room for what is rounded, or for the turn of ranks with the columns that are left; a radius
# that leaves out what is just as far.
GAPFAULTS := COUNT FACTOR BOUND RANKS RADIUS
GAPSOURCES := core/search/cpu/gaps.c core/search/cpu/gap_copies.c
$(B)/tests/runs/test_gaps $(GAPFAULTS:%=$(B)/tests/runs/test_gaps_%): LIBS += -Wl,--wrap=knng_task_poll
$(foreach fault,$(GAPFAULTS),$(eval $(call planted,test_gaps,$(fault),$(GAPSOURCES),$(fault))))

# And so. Clusters that are not far enough apart; those that have a row too few; rows that are their own neighbours.
SEPARATEFAULTS := APART FEW ITSELF
SEPARATESOURCES := core/search/cpu/separate.c core/search/cpu/separately.c
$(B)/tests/runs/test_separate $(SEPARATEFAULTS:%=$(B)/tests/runs/test_separate_%): LIBS += -Wl,--wrap=knng_task_poll -Wl,--wrap=knng_sys_mark_peak \
	-Wl,--wrap=knng_plan_make
$(foreach fault,$(SEPARATEFAULTS),$(eval $(call planted,test_separate,$(fault),$(SEPARATESOURCES),$(fault))))

# The same with a fault in the reader: it reads a byte beyond the text.
$(B)/tests/unit/fuzz_read_planted: core/io/text.c $(B)/tests/unit/fuzz_read.o $(B)/libknng.a
	@echo "  LINK  $@"
	$(Q)$(call compile,-DKNNG_PLANT_READ) $(LINKER) $(LDFLAGS) -o $@ $^ $(LIBS)

# They stop at any look for Ctrl-C.
$(addprefix $(B)/tests/unit/,test_npz test_h5ad test_kmedoids test_tsne): LIBS += -Wl,--wrap=knng_task_poll

oracle: $(if $(wildcard tests/oracle_mex.c),tests/oracle.mex)
tests/oracle.mex: $(B)/tests/oracle_mex.o $(B)/tests/oracle.o
	@echo "  MEX   $@"
	$(Q)$(mkmex) -o $(B)/tests/oracle.mex $^ -lm && mv -f $(B)/tests/oracle.mex $@
$(B)/tests/oracle_mex.o: tests/oracle_mex.c $(B)/needs
	@mkdir -p $(@D)
	$(Q)$(call compile,) $(MEXFLAGS) -MMD -MP -c -o $@ $<

$(B)/planted.so: tests/fakes/planted.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALWAYS) -fPIC -shared $(MEXFLAGS) -o $@ $< -ldl

# A copy of the toolbox whose gateway of searches loses memory, for tests/octave/test_growth.m.
plant: $(B)/plant/$(INNER)/search.mex
$(B)/plant/$(INNER)/search.mex: $(GATES:%=$(INNER)/%.mex) $(B)/mex/search.o $(MEXAIDS:%=$(B)/mex/%.o) $(B)/tests/fakes/leak.o \
		$(B)/libknng.a knngraph.m $(wildcard +knng/*.m $(INNER)/*.m)
	@echo "  MEX   $@"
	$(Q)rm -rf $(B)/plant && mkdir -p $(B)/plant && cp -r knngraph.m +knng mex $(B)/plant && rm $@
	$(Q)$(mkmex) -o $@ $(filter %.o %.a,$^) $(LIBS) -Wl,--wrap=knng_free -Wl,--wrap=knng_plan_make

lint: ## formatting (clang-format) and static analysis (cppcheck)
	@tools/install-deps.sh lint
	tools/check-api.sh
	tools/check-rooms.sh
	tools/check-pages.sh
	tools/check-numbers.sh
	clang-format --dry-run -Werror $(CSRC) $(wildcard bench/*.cpp bench/*.cu)
	cppcheck --quiet -j $(shell nproc 2>/dev/null || echo 2) --error-exitcode=1 --enable=warning,performance,portability --std=c11 --inline-suppr \
		--suppress=missingIncludeSystem \
		-D__x86_64__ -DKNNG_HDF5 -DKNNG_TARGET=plain -DIGRAPH_VERSION_MAJOR=0 -DIGRAPH_VERSION_MINOR=10 -I. -Icore -Itests -Itools/mex-only $(wildcard core mex cli mpi tests tools)

api: ## write docs/api.md from the help texts, the public headers and tools/api.in, and the tables of contents
	tools/make-api.sh >$(B)/api.md
	mv $(B)/api.md docs/api.md
	tools/make-contents.sh >$(B)/Contents.m
	cp $(B)/Contents.m +knng/Contents.m
	mv $(B)/Contents.m Contents.m

format: ## put every C source into the project's format
	clang-format -i $(CSRC) $(wildcard bench/*.cpp bench/*.cu)

# ---- measuring -------------------------------------------------------------------------------------------------------
has_faiss = echo '\#include <faiss/IndexFlat.h>' | $(CXX) -E -x c++ -o /dev/null - 2>/dev/null

bench: all ## time knngraph against Octave and FAISS-CPU (BENCH=full adds n = 24158); writes build/bench.txt
	+@if $(has_faiss); then $(MAKE) -s bench-faiss; \
		else echo "knng: no FAISS headers found (Debian: libfaiss-dev): comparing without it"; fi
	BENCH=$(BENCH) $(OCTAVE) bench/bench.m

bench-faiss: $(B)/bench_faiss ## build the FAISS-CPU half of the benchmark (Debian: libfaiss-dev)
$(B)/bench_faiss: bench/faiss.cpp
	@mkdir -p $(@D)
	@echo "  CXX   $<"
	$(Q)$(CXX) -std=c++17 -O2 -fopenmp -Wall -o $@ $< $(LDFLAGS) -lfaiss $(BLAS_LIBS) -llapack

bench-nanoflann: $(B)/bench_nanoflann ## build nanoflann's part of bench/bench_boxes.m (Debian: libnanoflann-dev)
$(B)/bench_nanoflann: bench/nanoflann.cpp
	@mkdir -p $(@D)
	@echo "  CXX   $<"
	$(Q)$(CXX) -std=c++17 -O2 -Wall -o $@ $< $(LDFLAGS)

# ---- installing ------------------------------------------------------------------------------------------------------
package: ## the package for Octave's `pkg install`, build/knng-VERSION.tar.gz, of the files that git tracks
	@tools/package.sh

# What is built is not built again: root may find another nvcc than the user, or none.
install: $(if $(wildcard $(INNER)/search.* $(B)/knng),,all) ## copy what is built to PREFIX (/usr/local), behind DESTDIR
install uninstall:
	@sh tools/install.sh $@ '$(B)/knng' '$(B)/knng-mpi'
uninstall: ## remove what `make install` with this PREFIX and DESTDIR has copied

# ---- the rest --------------------------------------------------------------------------------------------------------
source-hash: ## one sha256 over the names and contents of the C and CUDA sources
	@find $(wildcard cuda core mex cli mpi) -type f '(' -name '*.[ch]' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' ')' \
		| LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d ' ' -f 1

clean: ## remove everything that was built
	rm -rf $(B) $(INNER)/*.mex* $(INNER)/*.oct $(INNER)/*.so tests/*.mex*

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  CC CFLAGS CPPFLAGS LDFLAGS   compiler and flags; -ffp-contract=off always stays, the answer depends on it"
	@echo "  WERROR=-Werror               stop at a warning, as with gcc 12 and no CFLAGS; WERROR= never does"
	@echo "  BLAS_CFLAGS BLAS_LIBS        where OpenBLAS and its cblas.h are"
	@echo "  HDF5_CFLAGS HDF5_LIBS        where HDF5 is, the one that Octave has; HDF5_LIBS= builds without it"
	@echo "  IGRAPH_CFLAGS IGRAPH_LIBS    where igraph 0.10 or 1 is; IGRAPH_LIBS= builds without it"
	@echo "  MPICC                        MPI's compiler driver; MPICC= builds without knng-mpi"
	@echo "  NVCC CUDA_ARCH=\"80 90\"       the CUDA compiler and the architectures to build for, from 80 on"
	@echo "  CUDA_SPEED=-O3               how nvcc optimises"
	@echo "  PREFIX DESTDIR               where to install: PREFIX/lib/knng and PREFIX/bin, in a tree below DESTDIR"
	@echo "  MATLAB=/path/to/MATLAB       build the gateways with its bin/mex instead (written by the manual, not tried)"
	@echo "  V=1                          show the commands"

.PHONY: all gateways plant has-nvcc no-nvcc no-plugin no-igraph no-hdf5 no-mpi cuda demo check check-c check-asan check-gateways check-tsan check-octave check-mpi check-deep \
	check-mexapi check-gpu ctests mpitests mpiplanted oracle lint api format bench bench-faiss bench-nanoflann bench-gpu package install uninstall \
	source-hash clean help
.SECONDARY:
%.d: ;
-include $(shell find $(B) -name '*.d' -type f ! -path '*/others/*' ! -path '*/emulated*' ! -path '* *' 2>/dev/null)
